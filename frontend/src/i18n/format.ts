import type { Language } from '../domain/languages';
import type { TimeLeft } from '../domain/timeLeft';

// English is written the European way: day before month, the euro sign before the amount.
const locales: Readonly<Record<Language, string>> = { fi: 'fi-FI', en: 'en-GB', sv: 'sv-FI' };

/** Calendar days belong to the platform's time zone, not to the reader's. */
const timeZone = 'Europe/Helsinki';

export interface MoneyOptions {
  /** Always at checkout, never on campaign pages. Without them a begun euro does not count. */
  cents: boolean;
  currency?: string;
}

/** An amount in the major unit, with no-break spaces: 18 420 €, €18,420, 18 420 €. */
export function formatMoney(
  language: Language,
  amount: number,
  { cents, currency = 'EUR' }: MoneyOptions,
): string {
  const digits = cents ? 2 : 0;
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    roundingMode: cents ? 'halfExpand' : 'trunc',
    // Swedish leaves out the separator in four digits where Finnish and English have it.
    useGrouping: 'always',
  }).format(amount);
}

export function formatCount(language: Language, count: number): string {
  return new Intl.NumberFormat(locales[language], {
    useGrouping: 'always',
  }).format(count);
}

/** Whole per cents: 77 %, 77%, 77 %. */
export function formatPercent(language: Language, percent: number): string {
  return new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 0 }).format(
    percent / 100,
  );
}

/** A day with its year: 20.11.2026, 20 Nov 2026, 20 nov. 2026. Takes YYYY-MM-DD, RFC 3339 or milliseconds. */
export function formatDate(language: Language, day: string | number): string {
  return dateFormat(language, { dateStyle: 'medium' }).format(new Date(day));
}

/** A day without its year: 20.11., 20 Nov, 20 november. Swedish shortens with a full stop, which would double at a sentence's end. */
export function formatDay(language: Language, day: string | number): string {
  const month = ({ fi: 'numeric', en: 'short', sv: 'long' } as const)[language];
  return dateFormat(language, { day: 'numeric', month }).format(new Date(day));
}

/** A day that has been: without its year only while that is this year, because 17.12. would be still to come. */
export function formatPastDay(language: Language, day: string | number, now: number): string {
  const yearOf = (time: string | number) => dateFormat(language, { year: 'numeric' }).format(new Date(time));
  return yearOf(day) === yearOf(now) ? formatDay(language, day) : formatDate(language, day);
}

/** A month with its year, from YYYY-MM: kesäkuu 2027, June 2027, juni 2027. */
export function formatMonth(language: Language, month: string): string {
  return dateFormat(language, { month: 'long', year: 'numeric' }).format(new Date(`${month}-01T12:00:00Z`));
}

/** A time of day: 23.54, 23:54, 23:54. */
export function formatTime(language: Language, time: string | number): string {
  return dateFormat(language, { timeStyle: 'short' }).format(new Date(time));
}

export function formatDateTime(language: Language, time: string | number): string {
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locales[language], { timeZone, ...options });
}

/** The key and count of a text for the time left: `time.hours`, `time.days` or `time.over`. */
export function timeLeftText(left: TimeLeft): {
  key: 'time.hours' | 'time.days' | 'time.over';
  count: number;
} {
  return left.unit === 'over'
    ? { key: 'time.over', count: 0 }
    : { key: `time.${left.unit}`, count: left.count };
}

/** A country by its code: Suomi, Finland, Finland. */
export function formatCountry(language: Language, code: string): string {
  return new Intl.DisplayNames(locales[language], { type: 'region' }).of(code) ?? code;
}
