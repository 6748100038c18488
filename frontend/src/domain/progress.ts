import { fromCents, toCents } from './amounts';

const ratio = (reached: number, goal: number) => (toCents(reached) * 100) / toCents(goal);

/** The money reached as a rounded percentage of the goal; 0 without a goal. */
export function campaignPercent(reached: number, goal: number): number {
  return goal > 0 ? Math.round(ratio(reached, goal)) : 0;
}

/** What is missing from the goal, in the major unit; undefined if it is reached. */
export function missingAmount(reached: number, goal: number): number | undefined {
  const cents = toCents(goal) - toCents(reached);
  return cents > 0 ? fromCents(cents) : undefined;
}

/** What is missing when rounding shows 100 % before the goal is reached; else undefined. */
export function missingAtFullPercent(reached: number, goal: number): number | undefined {
  return campaignPercent(reached, goal) >= 100 ? missingAmount(reached, goal) : undefined;
}

/** The money reached as a percentage of the goal, rounded up; 0 without a goal. */
export function goalPercent(reached: number, goal: number): number {
  return goal > 0 ? Math.ceil(ratio(reached, goal)) : 0;
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
