import type { CalendarCharge, CalendarSupport } from '../../../api/subscriptions';
import { fromCents, toCents } from '../../../domain/amounts';

/** A charge with the support that it is of. */
export interface Entry extends Omit<CalendarCharge, 'state'> {
  support: CalendarSupport;
  /** moved: on its own day, of a charge that failed then and is tried again; its sum counts on the day of that try. */
  state: CalendarCharge['state'] | 'moved';
  /** The next try of a charge that has failed. */
  isRetry?: boolean;
}

/** What a month has in one currency, in the major unit. */
export interface Sum {
  currency: string;
  charged: number;
  coming: number;
  /** What did not go through and is tried no more: it counts until it is paid or left out. */
  waiting: number;
  /** What waits for an answer, because it would cross the spending limit. */
  held: number;
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

/** A support's charges on the days of their money: one that has failed and is tried again stands on both its days. */
function entriesOf(support: CalendarSupport): Entry[] {
  const { charges, next_try_on: tryOn } = support;
  return charges.flatMap((charge): Entry[] =>
    charge.state === 'waiting' && tryOn !== undefined
      ? [
          { ...charge, support, state: 'moved' },
          { ...charge, support, state: 'coming', day: tryOn, isRetry: true },
        ]
      : [{ ...charge, support }],
  );
}

/** What moves in a month. What has come back, or is tried again on another day, is listed and not counted. */
export function readMonth(supports: readonly CalendarSupport[], month: string): Month {
  const entries = supports
    .flatMap(entriesOf)
    .filter(({ day }) => day.startsWith(month))
    .sort((a, b) => a.day.localeCompare(b.day));
  const sums = new Map<string, Sum>();
  for (const { amount, state, support } of entries) {
    const { currency } = support;
    const sum = sums.get(currency) ?? { currency, charged: 0, coming: 0, waiting: 0, held: 0 };
    if (state !== 'returned' && state !== 'moved')
      sum[state] = fromCents(toCents(sum[state]) + toCents(amount));
    sums.set(currency, sum);
  }
  return { month, entries, sums: [...sums.values()] };
}

/** The month to begin with: that of the next charge or of one that waits, else this one. */
export function firstMonth(supports: readonly CalendarSupport[], today: string): string {
  const coming = supports
    .flatMap(entriesOf)
    .filter(({ state, day }) => state === 'held' || (state === 'coming' && day >= today))
    .map(({ day }) => day)
    .sort();
  return (coming[0] ?? today).slice(0, 7);
}

/** A choice of the backer that leaves out the months of a support before a period. */
export interface Answer {
  subscriptionId: string;
  before: number;
}

/** Whether a charge was left out by a choice; the calendar hears of it a moment later. */
const isLeftOut = (answers: readonly Answer[], support: CalendarSupport, { state, period }: CalendarCharge) =>
  (state === 'coming' || state === 'held') &&
  answers.some(({ subscriptionId, before }) => subscriptionId === support.subscription_id && period < before);

/** The supports without what was left out just now, and whether the calendar still has it. */
export function afterAnswers(supports: readonly CalendarSupport[], answers: readonly Answer[]) {
  const left = supports.map((support) => ({
    ...support,
    charges: support.charges.filter((charge) => !isLeftOut(answers, support, charge)),
  }));
  const isStale = supports.some(({ charges }, place) => charges.length !== left[place]?.charges.length);
  return { supports: left, isStale };
}
