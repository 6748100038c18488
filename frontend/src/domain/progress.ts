import { fromCents, toCents } from './amounts';

const ratio = (reached: number, goal: number) => (toCents(reached) * 100) / toCents(goal);

/** Funding reached over the goal in per cent, rounded. Without a goal there is nothing to reach: 0. */
export function campaignPercent(reached: number, goal: number): number {
  return goal > 0 ? Math.round(ratio(reached, goal)) : 0;
}

/** What is missing from the goal, in the major unit; undefined when nothing is. */
export function missingAmount(reached: number, goal: number): number | undefined {
  const cents = toCents(goal) - toCents(reached);
  return cents > 0 ? fromCents(cents) : undefined;
}

/** Rounded, the per cent is full a little before the goal is: what is still missing then. */
export function missingAtFullPercent(reached: number, goal: number): number | undefined {
  return campaignPercent(reached, goal) >= 100 ? missingAmount(reached, goal) : undefined;
}

/** The goal percent of the campaign page: the ceiling of the ratio. */
export function goalPercent(reached: number, goal: number): number {
  return goal > 0 ? Math.ceil(ratio(reached, goal)) : 0;
}

/** The percent of an experiment's funding, rounded. */
export function experimentPercent(raised: number, goal: number): number {
  return campaignPercent(raised, goal);
}

export interface Bar {
  /** Shares of the bar's length, 0 to 1. */
  confirmed: number;
  settling: number;
  /** Where the goal line stands; undefined when the goal is the end of the bar. */
  line?: number;
}

export interface BarInput {
  confirmed: number;
  settling: number;
  goal: number;
  /** The least that must come in, when it is lower than the goal: the line stands there. */
  minGoal?: number;
}

/** How the progress bar is drawn: its scale is the larger of goal and money raised. */
export function progressBar({ confirmed, settling, goal, minGoal = 0 }: BarInput): Bar {
  const raised = confirmed + settling;
  const scale = Math.max(goal, raised);
  if (scale <= 0) return { confirmed: 0, settling: 0 };
  const bar: Bar = { confirmed: confirmed / scale, settling: settling / scale };
  if (raised > goal && goal > 0) bar.line = goal / scale;
  else if (minGoal > 0 && minGoal < goal) bar.line = minGoal / scale;
  return bar;
}
