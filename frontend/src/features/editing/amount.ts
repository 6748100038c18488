import { fromCents, toCents } from '../../domain/amounts';
import type { Language } from '../../domain/languages';
import type { Fault } from '../../domain/rules';
import { sumFault } from '../../domain/sums';

/** The greatest amount that fields take, in euros; the contract's bound. */
const maxAmount = 100_000_000;

/** An amount was left out where there has to be one. */
export const emptyAmount: Fault = { key: 'decimal', params: { places: 2 } };

/** What is wrong with a typed amount; undefined if nothing is, or nothing was typed. */
export function amountFault(typed: string | undefined): Fault | undefined {
  if (!typed?.trim()) return undefined;
  return sumFault(typed, 0, fromCents, toCents(maxAmount));
}

/**
 * Formats cents for an input field in the language's notation, with decimals only if there are any. English gets no
 * thousands separators, because a comma in the field is parsed as a decimal comma.
 */
export function formatMinorUnits(minor: number, language: Language): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: minor % 100 === 0 ? 0 : 2,
    maximumFractionDigits: 2,
    useGrouping: language !== 'en',
  }).format(minor / 100);
}
