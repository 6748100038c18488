const hour = 3_600_000;
const day = 24 * hour;

/** The time left in the unit in which it is shown; over: the deadline has passed. */
export type TimeLeft = { unit: 'hours' | 'days'; count: number } | { unit: 'over' };

/**
 * The time until a deadline: hours, rounded up, if it is less than 2 days away; else whole days plus one. Both
 * arguments are in milliseconds since 1970.
 */
export function timeLeft(deadline: number, now: number): TimeLeft {
  const left = deadline - now;
  if (left <= 0) return { unit: 'over' };
  if (left < 2 * day) return { unit: 'hours', count: Math.ceil(left / hour) };
  return { unit: 'days', count: Math.floor(left / day) + 1 };
}
