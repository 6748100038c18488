import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignOverview, OverviewDay } from '../../api/editing';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, platformDay } from '../../i18n/format';
import { AxisDays } from './AxisDays';
import classes from './DayBars.module.css';
import { axisOf, daysBetween, type ChartMode } from './rules';
import { useChosenBar } from './useChosenBar';

// The units of the viewBox; the drawing is stretched to the width of the page.
const height = 210;
const width = 720;

export interface DayBarsProps {
  overview: CampaignOverview;
  bars: readonly OverviewDay[];
  mode: ChartMode;
  /** Nobody has backed it yet. */
  isEmpty: boolean;
}

/**
 * The chart: bars, axes, and the pace that the days ahead need. A tooltip shows the numbers of the day that is pointed
 * at or chosen with the arrow keys.
 */
export function DayBars({ overview, bars, mode, isEmpty }: DayBarsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const hatch = useId();
  const { currency, pace, posts, last_day_of_funding: lastDay } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const [first, last] = [bars[0], bars.at(-1)];
  const ahead = pace && last && lastDay ? Math.max(0, daysBetween(last.day, lastDay)) : 0;
  const step = width / Math.max(1, bars.length + ahead);
  const gap = Math.min(4, step / 3);
  const needed = mode === 'day' && pace ? pace.needed_a_day : 0;
  const axis = axisOf(Math.max(needed, ...bars.map(({ amount, settling }) => amount + settling)));
  const top = axis.at(-1) ?? 1;
  const y = (amount: number) => height - (amount / top) * height;
  const { chosen, slider } = useChosenBar(bars.length, bars.length + ahead, 7);
  const told = chosen === undefined ? undefined : bars[chosen];
  const words = ({ day, amount, backers }: OverviewDay) =>
    [formatDay(language, day), money(amount), t('overview.tipBackers', { count: backers })] as const;
  const todayAt = ((bars.length - 0.5) * step) / width;
  const nobody = t(overview.stage > campaignStages.funding ? 'overview.none' : 'overview.first');
  const label =
    isEmpty || !first || !last
      ? nobody
      : t('overview.chart', {
          from: formatDay(language, first.day),
          to: formatDay(language, last.day),
          amount: money(overview.funding_reached),
          settling: money(overview.funding_settling),
        });
  return (
    <div className={classes.root}>
      <div className={classes.drawing}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <defs>
            <pattern
              id={hatch}
              width="7"
              height="7"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(25)"
            >
              <rect width="3" height="7" fill="var(--tk-cloud)" />
            </pattern>
          </defs>
          {axis.map((amount) => (
            <line key={amount} x2={width} y1={y(amount)} y2={y(amount)} className={classes.axisLine} />
          ))}
          {bars.map(({ day, amount, settling }, place) => (
            <g key={day}>
              <rect
                x={place * step + gap / 2}
                width={step - gap}
                y={y(amount)}
                height={height - y(amount)}
                rx="3"
                fill="var(--tk-cloud)"
                data-bar={amount}
              />
              {settling > 0 && (
                <rect
                  x={place * step + gap / 2}
                  width={step - gap}
                  y={y(amount + settling)}
                  height={y(amount) - y(amount + settling)}
                  rx="3"
                  fill={`url(#${hatch})`}
                  stroke="var(--tk-cloud)"
                />
              )}
            </g>
          ))}
          {needed > 0 && ahead > 0 && (
            <>
              {Array.from({ length: ahead }, (_, place) => (
                <rect
                  key={place}
                  x={(bars.length + place) * step + gap / 2}
                  width={step - gap}
                  y={y(needed)}
                  height={height - y(needed)}
                  className={classes.ahead}
                />
              ))}
              <line
                x1={bars.length * step}
                x2={width}
                y1={y(needed)}
                y2={y(needed)}
                className={classes.paceLine}
              />
            </>
          )}
        </svg>
        {!isEmpty && bars.length > 0 && (
          <div
            {...slider}
            className={classes.chooser}
            aria-label={t('overview.chosenDay')}
            aria-valuetext={last && words(told ?? last).join(', ')}
          />
        )}
        {told && chosen !== undefined && (
          <p
            className={classes.tip}
            aria-hidden="true"
            style={{ left: `${Math.min(82, Math.max(18, (((chosen + 0.5) * step) / width) * 100))}%` }}
          >
            <b>{words(told)[0]}</b> <b className={classes.tipAmount}>{words(told)[1]}</b> {words(told)[2]}
          </p>
        )}
        {isEmpty && <p className={`${classes.tip} ${classes.first}`}>{nobody}</p>}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {axis.slice(1).map((amount) => (
          <span key={amount} style={{ top: `${(y(amount) / height) * 100}%` }}>
            {money(amount)}
          </span>
        ))}
      </div>
      <div className={classes.under} aria-hidden="true">
        {first &&
          posts.map(({ post_id, published_at }) => {
            const place = daysBetween(first.day, platformDay(Date.parse(published_at)));
            return place >= 0 && place < bars.length ? (
              <svg
                key={post_id}
                width="10"
                height="14"
                viewBox="-5 -7 10 14"
                style={{ left: `${(((place + 0.5) * step) / width) * 100}%` }}
              >
                <path d="M-4 6Q-4 -3 4 -6Q4 3 -4 6Z" fill="var(--tk-spruce)" />
              </svg>
            ) : null;
          })}
      </div>
      {first && last && (
        <AxisDays
          first={formatDay(language, first.day)}
          last={formatDay(language, lastDay ?? last.day)}
          todayAt={pace && todayAt}
        />
      )}
    </div>
  );
}
