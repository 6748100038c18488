import type { Language } from '../domain/languages';
import { formatMoney } from './format';

/** An amount with decimals only if it has cents, for sums that must not be rounded. */
export function exactMoney(language: Language, amount: number, currency?: string): string {
  return formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
}
