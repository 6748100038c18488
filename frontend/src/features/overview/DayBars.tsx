import { useTranslation } from 'react-i18next';
import type { CampaignOverview, OverviewDay } from '../../api/editing';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, platformDay } from '../../i18n/format';
import { AxisDays } from './AxisDays';
import { BarChart } from './BarChart';
import classes from './BarChart.module.css';
import { axisOf, daysBetween, type ChartMode } from './rules';

export interface DayBarsProps {
  overview: CampaignOverview;
  bars: readonly OverviewDay[];
  mode: ChartMode;
  /** Nobody has backed it yet. */
  isEmpty: boolean;
}

/** The chart of a campaign's days: what came in, the pace that the days ahead need, and when updates were published. */
export function DayBars({ overview, bars, mode, isEmpty }: DayBarsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, pace, posts, last_day_of_funding: lastDay } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const [first, last] = [bars[0], bars.at(-1)];
  const ahead = pace && last && lastDay ? Math.max(0, daysBetween(last.day, lastDay)) : 0;
  const places = bars.length + ahead;
  const needed = mode === 'day' && pace ? pace.needed_a_day : 0;
  const nobody = t(overview.stage > campaignStages.funding ? 'overview.none' : 'overview.first');
  return (
    <BarChart
      label={
        isEmpty || !first || !last
          ? nobody
          : t('overview.chart', {
              from: formatDay(language, first.day),
              to: formatDay(language, last.day),
              amount: money(overview.funding_reached),
              settling: money(overview.funding_settling),
            })
      }
      axis={axisOf(Math.max(needed, ...bars.map(({ amount, settling }) => amount + settling)))}
      axisText={money}
      places={places}
      mostGap={4}
      count={bars.length}
      words={(place) => {
        const { day = '', amount = 0, backers = 0 } = bars[place] ?? {};
        return [formatDay(language, day), money(amount), t('overview.tipBackers', { count: backers })];
      }}
      chooserLabel={t('overview.chosenDay')}
      page={7}
      empty={isEmpty ? nobody : undefined}
      under={(percent) => (
        <>
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
                    style={{ left: percent(place) }}
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
              todayAt={pace && (bars.length - 0.5) / Math.max(1, places)}
            />
          )}
        </>
      )}
    >
      {({ width, y, x, bar, hatch }) => (
        <>
          {bars.map(({ day, amount, settling }, place) => (
            <g key={day}>
              <rect {...bar(place, 0, amount)} fill="var(--tk-cloud)" data-bar={amount} />
              {settling > 0 && (
                <rect {...bar(place, amount, amount + settling)} fill={hatch} stroke="var(--tk-cloud)" />
              )}
            </g>
          ))}
          {needed > 0 && ahead > 0 && (
            <>
              {Array.from({ length: ahead }, (_, place) => (
                <rect key={place} {...bar(bars.length + place, 0, needed)} rx={0} className={classes.ahead} />
              ))}
              <line
                x1={x(bars.length)}
                x2={width}
                y1={y(needed)}
                y2={y(needed)}
                className={classes.paceLine}
              />
            </>
          )}
        </>
      )}
    </BarChart>
  );
}
