import type { Language } from '../../domain/languages';

/** A sum as it is typed, in cents: with a comma or a point, with or without spaces. Undefined for what is no sum. */
export function minorOf(typed: string): number | undefined {
  const text = typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return Math.round(Number(text) * 100);
}

/**
 * A sum for a field to type in, as the language writes it: cents only when there are any. English has no thousands'
 * commas here: who types a sum may mean a decimal comma.
 */
export function writtenMinor(minor: number, language: Language): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: minor % 100 === 0 ? 0 : 2,
    maximumFractionDigits: 2,
    useGrouping: language !== 'en',
  }).format(minor / 100);
}
