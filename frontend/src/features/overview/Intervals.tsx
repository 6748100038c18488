import { useTranslation } from 'react-i18next';
import type { ContentVariation } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatShare } from '../../i18n/format';
import classes from './Intervals.module.css';

/** Each variation's conversion rate on an axis in per cent, as a lens shape as wide as its 95 % interval. */
export function Intervals({ variations }: { variations: readonly ContentVariation[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const percent = (share: number) => formatShare(language, share);
  const known = variations.filter(({ rate }) => rate !== undefined);
  const lowest = Math.floor(Math.min(...known.map(({ low = 0 }) => low)) * 100) / 100;
  const highest = Math.max(
    lowest + 0.01,
    Math.ceil(Math.max(...known.map(({ high = 0 }) => high)) * 100) / 100,
  );
  const steps = Math.min(4, Math.round((highest - lowest) * 100));
  const x = (share: number) => ((share - lowest) / (highest - lowest)) * 100;
  return (
    <div>
      {known.map(({ variation, letter, rate = 0, low = 0, high = 0 }) => {
        const words = { letter, rate: percent(rate), low: percent(low), high: percent(high) };
        const [from, middle, to] = [x(low), x((low + high) / 2), x(high)];
        return (
          <div key={variation} className={classes.interval}>
            <b>{letter}</b>
            <svg
              role="img"
              aria-label={t('overview.test.chart', words)}
              viewBox="0 0 100 20"
              preserveAspectRatio="none"
            >
              <path
                d={`M${from} 10Q${middle} -8 ${to} 10Q${middle} 28 ${from} 10Z`}
                fill={variation === 0 ? 'var(--tk-control)' : 'var(--tk-spruce)'}
              />
              <path
                d={`M${x(rate)} 0V20`}
                stroke="var(--tk-surface)"
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            </svg>
            <b>{words.rate}</b>
          </div>
        );
      })}
      <div className={classes.scale} aria-hidden="true">
        {Array.from({ length: steps + 1 }, (_, place) => (
          <span key={place}>{percent(lowest + ((highest - lowest) * place) / steps)}</span>
        ))}
      </div>
    </div>
  );
}
