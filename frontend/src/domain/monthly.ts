/**
 * The day of a month of support, YYYY-MM-DD: `months` after the first day, clamped to the month's end and always
 * reckoned from the first, so that the 31st is the 28th in February and the 31st again in March.
 */
export function dayAfterMonths(first: string, months: number): string {
  const [year = 0, month = 1, day = 1] = first.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
