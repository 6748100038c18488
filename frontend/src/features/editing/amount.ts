import type { Language } from '../../domain/languages';

/**
 * Parses a typed amount in euros into cents. Takes a decimal comma or point, at most two decimals, and any spaces.
 * Undefined if it is not a valid amount.
 */
export function parseMinorUnits(typed: string): number | undefined {
  const text = typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return Math.round(Number(text) * 100);
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
