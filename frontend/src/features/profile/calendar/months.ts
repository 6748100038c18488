import type { CalendarCharge, CalendarSupport } from '../../../api/subscriptions';

/** A charge with the support that it is of. */
export interface Entry extends CalendarCharge {
  support: CalendarSupport;
}

/** What a month has in one currency, in the major unit. */
export interface Sum {
  currency: string;
  charged: number;
  coming: number;
}

/** A month, YYYY-MM, with what moves in it, in the order of the days. */
export interface Month {
  month: string;
  entries: Entry[];
  sums: Sum[];
}

/** A month some months after another, YYYY-MM. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, one = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, one - 1 + by, 1)).toISOString().slice(0, 7);
}

/** What moves in a month. What has come back, or has not gone through, is listed and not counted. */
export function readMonth(supports: readonly CalendarSupport[], month: string): Month {
  const entries = supports
    .flatMap((support) => support.charges.map((charge) => ({ ...charge, support })))
    .filter(({ day }) => day.startsWith(month))
    .sort((a, b) => a.day.localeCompare(b.day));
  const sums = new Map<string, Sum>();
  for (const { amount, state, support } of entries) {
    const sum = sums.get(support.currency) ?? { currency: support.currency, charged: 0, coming: 0 };
    if (state === 'charged') sum.charged += amount;
    if (state === 'coming') sum.coming += amount;
    sums.set(support.currency, sum);
  }
  return { month, entries, sums: [...sums.values()] };
}

/** The month to begin with: that of the next charge, else this one. */
export function firstMonth(supports: readonly CalendarSupport[], today: string): string {
  const coming = supports
    .flatMap(({ charges }) => charges)
    .filter(({ state, day }) => state === 'coming' && day >= today)
    .map(({ day }) => day)
    .sort();
  return (coming[0] ?? today).slice(0, 7);
}
