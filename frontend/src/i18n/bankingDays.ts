import { locales } from './format';
import type { Language } from '../domain/languages';

/** Days on which banks in the euro area settle nothing, besides weekends and Easter. */
const closed = ['01-01', '05-01', '12-25', '12-26'];

/** The banking day that is so many after a day, YYYY-MM-DD. */
export function bankingDay(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`);
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    const isWeekend = day.getUTCDay() % 6 === 0;
    if (!isWeekend && !closed.includes(day.toISOString().slice(5, 10))) left -= 1;
  }
  return day.toISOString().slice(0, 10);
}

/** From the first to the last of some banking days after a day: 24.–27.11., 24–27 Nov, 24–27 november. */
export function bankingDays(language: Language, from: string, first: number, last: number): string {
  const month = ({ fi: 'numeric', en: 'short', sv: 'long' } as const)[language];
  return new Intl.DateTimeFormat(locales[language], { day: 'numeric', month, timeZone: 'UTC' }).formatRange(
    new Date(bankingDay(from, first)),
    new Date(bankingDay(from, last)),
  );
}
