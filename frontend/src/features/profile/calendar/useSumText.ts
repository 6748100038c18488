import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import type { Sum } from './months';

/** Sums as words, each currency for itself: 27,00 € + 100,00 SEK. all: what the month would come to. */
export function useSumText() {
  const language = useLanguage();
  return (sums: readonly Sum[], part: 'coming' | 'waiting' | 'held' | 'all' = 'all') =>
    sums
      .map((one) => ({
        currency: one.currency,
        sum: part === 'all' ? one.charged + one.coming + one.waiting + one.held : one[part],
      }))
      .filter(({ sum }, _, all) => sum > 0 || all.length === 1)
      .map(({ currency, sum }) => formatMoney(language, sum, { cents: true, currency }))
      .join(' + ') || formatMoney(language, 0, { cents: true });
}
