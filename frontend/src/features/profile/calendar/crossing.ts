import type { CalendarSupport, SpendingLimit } from '../../../api/subscriptions';
import { toCents } from '../../../domain/amounts';
import { monthAfter, readMonth, type Entry } from './months';

const ahead = 12;

/** How many months a pause goes on. */
const morePause = 3;

/** How many months after the first one that could be charged it may go on. */
const mostPause = 12;

/** A month in which coming charges would cross the spending limit. Sums are in minor units. */
export interface Crossing {
  /** YYYY-MM */
  month: string;
  currency: string;
  limitMinor: number;
  totalMinor: number;
  /** Whether the month after it crosses the limit too. */
  isLasting: boolean;
  /** Single pledges count too, which the calendar does not know: the total may be higher. */
  hasMore: boolean;
  /** The charge that makes it cross, if that can be left out: it is the next one of its support. */
  entry: Entry | undefined;
}

/** The first charge that waits for an answer. */
export function firstHeld(supports: readonly CalendarSupport[]): Entry | undefined {
  return supports
    .flatMap((support) => support.charges.map((charge) => ({ ...charge, support })))
    .filter(({ state }) => state === 'held')
    .sort((a, b) => a.day.localeCompare(b.day))[0];
}

/**
 * The period with which a pause that ends before a charge ends instead. The first one that could be charged is
 * this calendar month's or a later one.
 */
export function pausedUntil({ period, day }: Entry, today: string): number {
  const [nowYear = 0, nowMonth = 0] = today.split('-').map(Number);
  const [year = 0, month = 0] = day.split('-').map(Number);
  const monthsAway = (year - nowYear) * 12 + month - nowMonth;
  return period + Math.min(morePause, mostPause - monthsAway);
}

/** The support that counts against the limit: what was begun without an account has none. */
export function inLimit(supports: readonly CalendarSupport[]): CalendarSupport[] {
  return supports.filter(({ is_in_limit: isInLimit }) => isInLimit);
}

/** The first month, from this one on, in which coming charges would cross a limit. */
export function firstCrossing(
  supports: readonly CalendarSupport[],
  today: string,
  limits: readonly SpendingLimit[],
): Crossing | undefined {
  const counted = inLimit(supports);
  for (let by = 0; by < ahead; by += 1) {
    const month = monthAfter(today.slice(0, 7), by);
    for (const limit of limits) {
      const crossing = crossingIn(counted, month, limit, by === 0);
      if (crossing)
        return {
          ...crossing,
          isLasting: crossingIn(counted, monthAfter(month, 1), limit, false) !== undefined,
        };
    }
  }
  return undefined;
}

function crossingIn(
  supports: readonly CalendarSupport[],
  month: string,
  { currency, amount, counts_pledges: hasMore }: SpendingLimit,
  isThis: boolean,
) {
  const entries = readMonth(supports, month).entries.filter(({ support }) => support.currency === currency);
  const ofStates = (...states: Entry['state'][]) =>
    entries.filter(({ state, isRetry = false }) => states.includes(state) && !isRetry);
  const limitMinor = toCents(amount);
  // Months that have begun count first, also those whose charge is being tried again: their backer can pay them in this calendar
  // month, and else they are charged in that of the next try. The service counts them in both.
  const tried = supports
    .filter((one) => one.currency === currency && one.next_try_on !== undefined)
    .filter((one) => isThis || one.next_try_on?.startsWith(month))
    .flatMap(({ charges }) => charges.filter(({ state }) => state === 'waiting'));
  let totalMinor = sumOf([...ofStates('charged', 'waiting'), ...tried]);
  let crosses: Entry | undefined;
  const coming = ofStates('coming', 'held');
  for (const entry of coming) {
    totalMinor += toCents(entry.amount);
    if (totalMinor > limitMinor) crosses ??= entry;
  }
  if (!crosses) return undefined;
  const next = coming.filter(isNextOfSupport);
  const entry =
    next.find(({ support }) => support.status === 'paused') ??
    (next.includes(crosses) ? crosses : next.at(-1));
  return { month, currency, limitMinor, totalMinor, hasMore, entry };
}

const sumOf = (entries: readonly Pick<Entry, 'amount'>[]) =>
  entries.reduce((sum, { amount }) => sum + toCents(amount), 0);

/** While a failed charge waits, the service takes no answer about the months after it. */
function isNextOfSupport({ period, support }: Entry): boolean {
  return support.charges.every(
    ({ state, period: one }) =>
      state !== 'waiting' && ((state !== 'coming' && state !== 'held') || one >= period),
  );
}
