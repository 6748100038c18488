import { fromCents, toCents } from './amounts';

const ratio = (reached: number, goal: number) => (toCents(reached) * 100) / toCents(goal);

/** Rounding must not say 100 before the goal is reached. */
const untilFull = (percent: number, reached: number, goal: number) =>
  toCents(reached) < toCents(goal) ? Math.min(percent, 99) : percent;

/** The money reached as a rounded percentage of the goal, at most 99 until it is reached; 0 without a goal. */
export function campaignPercent(reached: number, goal: number): number {
  return goal > 0 ? untilFull(Math.round(ratio(reached, goal)), reached, goal) : 0;
}

/** What is missing from the goal, in the major unit; undefined if it is reached. */
export function missingAmount(reached: number, goal: number): number | undefined {
  const cents = toCents(goal) - toCents(reached);
  return cents > 0 ? fromCents(cents) : undefined;
}

/** The money reached as a percentage of the goal, rounded up, but at most 99 until it is reached; 0 without a goal. */
export function goalPercent(reached: number, goal: number): number {
  return goal > 0 ? untilFull(Math.ceil(ratio(reached, goal)), reached, goal) : 0;
}

/** An experiment's funding as a rounded percentage of its goal; 0 without a goal. */
export function experimentPercent(raised: number, goal: number): number {
  return campaignPercent(raised, goal);
}

/** The geometry of a progress bar. */
export interface Bar {
  /** Shares of the bar's length, 0 to 1. */
  confirmed: number;
  /** Money that banks have not confirmed yet; follows the confirmed share. */
  settling: number;
  /** The position of the goal line, 0 to 1; undefined if the goal is the end of the bar. */
  line?: number;
}

/** A campaign's sums, in the major unit. */
export interface BarInput {
  confirmed: number;
  settling: number;
  goal: number;
  /** The minimum goal; if it is lower than the goal, the line is there. */
  minGoal?: number;
}

/** The geometry of the progress bar. Its full length is the goal or the money raised, whichever is more. */
export function progressBar({ confirmed, settling, goal, minGoal = 0 }: BarInput): Bar {
  const raised = confirmed + settling;
  const scale = Math.max(goal, raised);
  if (scale <= 0) return { confirmed: 0, settling: 0 };
  const bar: Bar = { confirmed: confirmed / scale, settling: settling / scale };
  if (raised > goal && goal > 0) bar.line = goal / scale;
  else if (minGoal > 0 && minGoal < goal) bar.line = minGoal / scale;
  return bar;
}
