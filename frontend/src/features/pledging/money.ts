import { fromCents } from '../../domain/amounts';
import type { Language } from '../../domain/languages';
import { formatMoney } from '../../i18n/format';

/** Formats cents. The checkout always shows both decimals. */
export function moneyOfCents(language: Language, cents: number, currency: string): string {
  return formatMoney(language, fromCents(cents), { cents: true, currency });
}

/** Formats a price, with decimals only if it has any. */
export function price(language: Language, amount: number, currency: string): string {
  return formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
}
