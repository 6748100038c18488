const day = 86_400_000;

/** The last day of a claim's clock, as a moment in it: its end is the beginning of the next day. */
export const lastDay = (dueAt: string) => Date.parse(dueAt) - 1000;

/** How many whole days are left, and how many there were. */
export function daysLeft(from: string, dueAt: string, now: number): { left: number; total: number } {
  const total = Math.max(1, Math.floor((Date.parse(dueAt) - Date.parse(from)) / day));
  return { total, left: Math.min(total, Math.max(0, Math.floor((Date.parse(dueAt) - now) / day))) };
}
