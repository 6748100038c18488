import { fromCents } from '../../domain/amounts';
import type { Language } from '../../domain/languages';
import { formatMoney } from '../../i18n/format';

/** Cents as the reader writes money; at checkout always with both decimals. */
export function moneyOfCents(language: Language, cents: number, currency: string): string {
  return formatMoney(language, fromCents(cents), { cents: true, currency });
}

/** A price as its creator set it: decimals only where there are some. */
export function price(language: Language, amount: number, currency: string): string {
  return formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
}
