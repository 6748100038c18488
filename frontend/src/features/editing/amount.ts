import type { Language } from '../../domain/languages';
import type { Fault } from '../../domain/rules';

/**
 * Parses a typed amount in euros into cents. Takes a decimal comma or point, at most two decimals, and any spaces.
 * Undefined if it is not a valid amount.
 */
export function parseMinorUnits(typed: string): number | undefined {
  const text = typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return Math.round(Number(text) * 100);
}

/** The greatest amount that fields take, in euros; the contract's bound. */
const maxAmount = 100_000_000;

/** An amount was left out where there has to be one. */
export const emptyAmount: Fault = { key: 'decimal', params: { places: 2 } };

/** What is wrong with a typed amount; undefined if nothing is, or nothing was typed. */
export function amountFault(typed: string | undefined): Fault | undefined {
  const text = typed?.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.') ?? '';
  if (text === '') return undefined;
  if (/^[-\u2212]\d/.test(text)) return { key: 'minValue', params: { min: 0 } };
  if (/^\d+(\.\d{1,2})?$/.test(text) && Number(text) > maxAmount)
    return { key: 'atMost', params: { max: maxAmount } };
  return parseMinorUnits(text) === undefined ? emptyAmount : undefined;
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
