import type { Language } from '../../../domain/languages';
import { bankingDay, bankingDays } from '../../../i18n/bankingDays';

/** The days between which a debit that is begun on a day leaves the account, YYYY-MM-DD: two to five banking days later. */
export function debitDays(begun: string): { first: string; last: string } {
  return { first: bankingDay(begun, 2), last: bankingDay(begun, 5) };
}

/** When a debit that is begun on a day leaves the account: 24.–27.11., 24–27 Nov, 24–27 november. */
export function debitSpan(language: Language, begun: string): string {
  return bankingDays(language, begun, 2, 5);
}
