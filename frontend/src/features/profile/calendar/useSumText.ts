import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import type { Sum } from './months';

/** Sums as words, each currency for itself: 27,00 € + 100,00 SEK. */
export function useSumText() {
  const language = useLanguage();
  return (sums: readonly Sum[], part: 'coming' | 'all' = 'all') =>
    sums
      .map(({ currency, charged, coming }) => ({ currency, sum: part === 'all' ? charged + coming : coming }))
      .filter(({ sum }, _, all) => sum > 0 || all.length === 1)
      .map(({ currency, sum }) => formatMoney(language, sum, { cents: true, currency }))
      .join(' + ') || formatMoney(language, 0, { cents: true });
}
