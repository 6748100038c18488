import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { OverviewMonth, OverviewMonthly } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../i18n/format';
import { formatMonthName } from '../../i18n/months';
import { AxisDays } from './AxisDays';
import classes from './DayBars.module.css';
import { axisOf, planOf, type MonthMode } from './rules';
import { useChosenBar } from './useChosenBar';

// The units of the viewBox; the drawing is stretched to the width of the page.
const height = 210;
const width = 720;

export interface MonthBarsProps {
  monthly: OverviewMonthly;
  currency: string;
  mode: MonthMode;
}

/**
 * The chart of monthly support: what was given a month at the end of each month, with next month's plan after them; or who
 * came, above the line, and who went, below it. A tooltip shows the numbers of the month that is pointed at or chosen with
 * the arrow keys.
 */
export function MonthBars({ monthly, currency, mode }: MonthBarsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const hatch = useId();
  const { months, next_month } = monthly;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const plan = planOf(next_month);
  const [first, last] = [months[0], months.at(-1)];
  const places = Math.max(months.length + 1, 6); // With few months, wide bars would look like a table.
  const step = width / places;
  const gap = Math.min(12, step / 3);
  const isMoney = mode === 'money';
  const up = axisOf(
    isMoney
      ? Math.max(plan.sure + plan.atRisk, ...months.map(({ amount }) => amount))
      : Math.max(...months.map(({ came, gone }) => Math.max(came, gone))),
  );
  const mostGone = isMoney ? 0 : Math.max(0, ...months.map(({ gone }) => gone));
  // As many of the same steps downwards as who went need.
  const down = up.flatMap((value, place) => ((up[place - 1] ?? mostGone) < mostGone ? [-value] : []));
  const axis = [...down.toReversed(), ...up];
  const [bottom, top] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  const y = (value: number) => ((top - value) / (top - bottom)) * height;
  const bar = (place: number, from: number, to: number) => ({
    x: place * step + gap / 2,
    width: step - gap,
    y: y(to),
    height: y(from) - y(to),
    rx: 3,
  });
  const { chosen, slider } = useChosenBar(months.length, places, 12);
  const told = chosen === undefined ? undefined : months[chosen];
  const words = ({ month, amount, supporters, came, gone }: OverviewMonth) =>
    [
      formatMonth(language, month.slice(0, 7)),
      money(amount),
      [
        t('overview.tipBackers', { count: supporters }),
        came > 0 && t('overview.monthly.came', { count: came }),
        gone > 0 && t('overview.monthly.gone', { count: gone }),
      ]
        .filter(Boolean)
        .join(', '),
    ] as const;
  const short = ({ month }: { month: string }) => formatMonthName(language, month, 'short');
  return (
    <div className={classes.root}>
      <div className={classes.drawing}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            first && last
              ? t(`overview.monthly.chart.${mode}`, {
                  from: formatMonth(language, first.month.slice(0, 7)),
                  to: formatMonth(language, last.month.slice(0, 7)),
                  amount: money(last.amount),
                  count: last.supporters,
                })
              : t('overview.first')
          }
        >
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
          {axis.map((value) => (
            <line key={value} x2={width} y1={y(value)} y2={y(value)} className={classes.axisLine} />
          ))}
          {months.map(({ month, amount, came, gone }, place) =>
            isMoney ? (
              <rect key={month} {...bar(place, 0, amount)} fill="var(--tk-cloud)" data-bar={amount} />
            ) : (
              <g key={month}>
                <rect {...bar(place, 0, came)} fill="var(--tk-spruce)" data-bar={came} />
                <rect {...bar(place, -gone, 0)} className={classes.gone} data-bar={-gone} />
              </g>
            ),
          )}
          {isMoney && months.length > 0 && (
            <>
              <rect {...bar(months.length, 0, plan.sure)} className={classes.plan} data-plan={plan.sure} />
              {plan.atRisk > 0 && (
                <rect
                  {...bar(months.length, plan.sure, plan.sure + plan.atRisk)}
                  fill={`url(#${hatch})`}
                  className={classes.plan}
                />
              )}
            </>
          )}
        </svg>
        {months.length > 0 && (
          <div
            {...slider}
            className={classes.chooser}
            aria-label={t('overview.monthly.chosen')}
            aria-valuetext={last && words(told ?? last).join(', ')}
          />
        )}
        {told && chosen !== undefined && (
          <p
            className={classes.tip}
            aria-hidden="true"
            style={{ left: `${Math.min(76, Math.max(24, (((chosen + 0.5) * step) / width) * 100))}%` }}
          >
            <b>{words(told)[0]}</b> <b className={classes.tipAmount}>{words(told)[1]}</b>
            <br />
            {words(told)[2]}
          </p>
        )}
        {months.length === 0 && <p className={`${classes.tip} ${classes.first}`}>{t('overview.first')}</p>}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {axis
          .filter((value) => value !== 0)
          .map((value) => (
            <span key={value} style={{ top: `${(y(value) / height) * 100}%` }}>
              {isMoney ? money(value) : formatCount(language, value)}
            </span>
          ))}
      </div>
      <div className={classes.months} aria-hidden="true">
        {places <= 13 &&
          [...months, next_month].map((one, place) => (
            <span key={one.month} style={{ left: `${(((place + 0.5) * step) / width) * 100}%` }}>
              {isMoney || place < months.length ? short(one) : ''}
            </span>
          ))}
      </div>
      {places > 13 && first && last && (
        <AxisDays
          first={formatMonth(language, first.month.slice(0, 7))}
          last={formatMonth(language, next_month.month.slice(0, 7))}
        />
      )}
    </div>
  );
}
