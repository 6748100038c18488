import type { Language } from '../domain/languages';
import { locales } from './format';

// Calendar days, YYYY-MM-DD, are the same in every time zone.
const timeZone = 'UTC';

const format = (language: Language, day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locales[language], { timeZone, ...options }).format(new Date(day));

/** A month by its name: joulukuu, December, december; short: joulu, Dec, dec. */
export function formatMonthName(language: Language, day: string, width: 'long' | 'short' = 'long'): string {
  return format(language, day, { month: width }).replace('.', '');
}

/** A day in full: sunnuntaina 20. joulukuuta 2026, Sunday 20 December 2026, söndag 20 december 2026. */
export function formatFullDay(language: Language, day: string): string {
  return format(language, day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).replace(
    ',',
    '',
  );
}

/** The month in which a card expires, from YYYY-MM: 9/2029, and as on the card 09/29, 09/29. */
export function formatCardMonth(language: Language, month: string): string {
  const [year = '', number = ''] = month.split('-');
  return language === 'fi' ? `${Number(number)}/${year}` : `${number}/${year.slice(2)}`;
}

/** The number of days from one day to another, both YYYY-MM-DD. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
