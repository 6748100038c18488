import { locales } from '../../../i18n/format';
import type { Language } from '../../../domain/languages';

/** Days on which banks in the euro area settle nothing, besides weekends and Easter. */
const closed = ['01-01', '05-01', '12-25', '12-26'];

/** The days between which a debit that is begun on a day leaves the account, YYYY-MM-DD: two to five banking days later. */
export function debitDays(begun: string): { first: string; last: string } {
  return { first: bankingDay(begun, 2), last: bankingDay(begun, 5) };
}

function bankingDay(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`);
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1);
    const isWeekend = day.getUTCDay() % 6 === 0;
    if (!isWeekend && !closed.includes(day.toISOString().slice(5, 10))) left -= 1;
  }
  return day.toISOString().slice(0, 10);
}

/** When a debit that is begun on a day leaves the account: 24.–27.11., 24–27 Nov, 24–27 november. */
export function debitSpan(language: Language, begun: string): string {
  const { first, last } = debitDays(begun);
  const month = ({ fi: 'numeric', en: 'short', sv: 'long' } as const)[language];
  return new Intl.DateTimeFormat(locales[language], { day: 'numeric', month, timeZone: 'UTC' }).formatRange(
    new Date(first),
    new Date(last),
  );
}
