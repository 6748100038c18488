import type { Language } from '../domain/languages';
import type { TimeLeft } from '../domain/timeLeft';

/** British English, for the day before the month. Swedish as in Finland. */
export const locales: Readonly<Record<Language, string>> = { fi: 'fi-FI', en: 'en-GB', sv: 'sv-FI' };

// Dates and times are in the platform's time zone, not the reader's. The server has it in internal/zone.
const timeZone = 'Europe/Helsinki';

/** See formatMoney. */
export interface MoneyOptions {
  /** Show cents: always at checkout, never on campaign pages. Without cents, amounts of a euro or more are rounded down. */
  cents: boolean;
  /** ISO 4217; EUR by default. */
  currency?: string;
}

/** An amount in the major unit, with no-break spaces: 18 420 €, €18,420, 18 420 €. */
export function formatMoney(
  language: Language,
  amount: number,
  { cents, currency = 'EUR' }: MoneyOptions,
): string {
  // Without its cents a sum below one euro would be none.
  const hasCents = cents || (amount !== 0 && Math.abs(amount) < 1);
  const digits = hasCents ? 2 : 0;
  return numberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: hasCents ? 'halfExpand' : 'trunc',
    // Swedish has no separator in four-digit numbers by default, unlike Finnish and English.
    useGrouping: 'always',
  }).format(amount);
}

/** An integer with thousands separators: 1 200, 1,200, 1 200. */
export function formatCount(language: Language, count: number): string {
  return numberFormat(language, {
    useGrouping: 'always',
  }).format(count);
}

/** A percentage, rounded to an integer: 77 %, 77%, 77 %. Takes 77, not 0.77. */
export function formatPercent(language: Language, percent: number): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100);
}

/** A share from 0 to 1 as a percentage, by default with one decimal: 4,7 %, 4.7%, 4,7 %. */
export function formatShare(language: Language, share: number, decimals = 1): string {
  return numberFormat(language, {
    style: 'percent',
    maximumFractionDigits: decimals,
  }).format(share);
}

/** A day with its year: 20.11.2026, 20 Nov 2026, 20 nov. 2026. Takes YYYY-MM-DD, RFC 3339 or milliseconds. */
export function formatDate(language: Language, day: string | number): string {
  return dateFormat(language, { dateStyle: 'medium' }).format(new Date(day));
}

/**
 * A day without its year: 20.11., 20 Nov, 20 november. Not abbreviated in Swedish, because the abbreviation's full stop
 * would be doubled at the end of a sentence.
 */
export function formatDay(language: Language, day: string | number): string {
  const month = ({ fi: 'numeric', en: 'short', sv: 'long' } as const)[language];
  return dateFormat(language, { day: 'numeric', month }).format(new Date(day));
}

/** A day with its weekday and without its year: su 20.12., Sun 20 Dec, sön 20 december. */
export function formatWeekday(language: Language, day: string | number): string {
  const weekday = dateFormat(language, { weekday: 'short' }).format(new Date(day));
  return `${weekday} ${formatDay(language, day)}`;
}

/**
 * A past day, with its year unless that is the current one, because 17.12. alone could be read as a future day. `now`
 * is in milliseconds.
 */
export function formatPastDay(language: Language, day: string | number, now: number): string {
  const yearOf = (time: string | number) => dateFormat(language, { year: 'numeric' }).format(new Date(time));
  return yearOf(day) === yearOf(now) ? formatDay(language, day) : formatDate(language, day);
}

/**
 * A month with its year, from YYYY-MM: kesäkuu 2027, June 2027, juni 2027; or the months from one to another, from
 * YYYY-MM/YYYY-MM: toukokuu–syyskuu 2027, May – September 2027, maj–september 2027.
 */
export function formatMonth(language: Language, months: string): string {
  const format = dateFormat(language, { month: 'long', year: 'numeric' });
  const [first = '', last = first] = months.split('/');
  const middayOf = (month: string) => new Date(`${month}-01T12:00:00Z`);
  return format.formatRange(middayOf(first), middayOf(last));
}

/** The day in the platform's time zone at a time in milliseconds, as YYYY-MM-DD. */
export function platformDay(time: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
}

/** A time of day: 23.54, 23:54, 23:54. Takes RFC 3339 or milliseconds. */
export function formatTime(language: Language, time: string | number): string {
  return dateFormat(language, { timeStyle: 'short' }).format(new Date(time));
}

const ages = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const;

/** How long ago a time was, a second at least: 20 sekuntia sitten, 20 seconds ago. Takes milliseconds. */
export function formatAgo(language: Language, time: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(locales[language]);
  let age = Math.max(1_000, now - time) / 1_000;
  for (const [unit, most] of ages) {
    if (age < most) return format.format(-Math.floor(age), unit);
    age /= most;
  }
  return '';
}

/** A time of day with its seconds: 23.54.07, 23:54:07. Takes milliseconds. */
export function formatClock(language: Language, time: number): string {
  return dateFormat(language, { timeStyle: 'medium' }).format(time);
}

/** A day with its year and a time of day. Takes RFC 3339 or milliseconds. */
export function formatDateTime(language: Language, time: string | number): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

// Making a formatter takes far longer than using it, and a page formats in the same few ways with every render.
const made = new Map<string, unknown>();

function keep<Format>(kind: string, language: Language, options: object, make: () => Format): Format {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const format = (made.get(key) as Format | undefined) ?? make();
  made.set(key, format);
  return format;
}

function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return keep('number', language, options, () => new Intl.NumberFormat(locales[language], options));
}

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return keep(
    'date',
    language,
    options,
    () => new Intl.DateTimeFormat(locales[language], { timeZone, ...options }),
  );
}

/** The text key and count for the time left. */
export function timeLeftText(left: TimeLeft): {
  key: 'time.hours' | 'time.days' | 'time.over';
  count: number;
} {
  return left.unit === 'over'
    ? { key: 'time.over', count: 0 }
    : { key: `time.${left.unit}`, count: left.count };
}

/** A country's name by its code: Suomi, Finland, Finland. */
export function formatCountry(language: Language, code: string): string {
  return new Intl.DisplayNames(locales[language], { type: 'region' }).of(code) ?? code;
}
