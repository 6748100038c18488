import { useTranslation } from 'react-i18next';
import type { OverviewMonthly } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../i18n/format';
import { formatMonthName } from '../../i18n/months';
import { AxisDays } from './AxisDays';
import { BarChart } from './BarChart';
import classes from './BarChart.module.css';
import { axisOf, planOf, type MonthMode } from './rules';

export interface MonthBarsProps {
  monthly: OverviewMonthly;
  currency: string;
  mode: MonthMode;
}

/**
 * The chart of monthly support: what was given a month at the end of each month, with next month's plan after them; or who
 * came, above the line, and who went, below it.
 */
export function MonthBars({ monthly, currency, mode }: MonthBarsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { months, next_month } = monthly;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const monthName = (month: string) => formatMonth(language, month.slice(0, 7));
  const plan = planOf(next_month);
  const [first, last] = [months[0], months.at(-1)];
  const places = Math.max(months.length + 1, 6); // With few months, wide bars would look like a table.
  const isMoney = mode === 'money';
  const up = axisOf(
    isMoney
      ? Math.max(plan.sure + plan.atRisk, ...months.map(({ amount }) => amount))
      : Math.max(...months.map(({ came, gone }) => Math.max(came, gone))),
  );
  const mostGone = isMoney ? 0 : Math.max(0, ...months.map(({ gone }) => gone));
  // As many of the same steps downwards as who went need.
  const down = up.flatMap((value, place) => ((up[place - 1] ?? mostGone) < mostGone ? [-value] : []));
  return (
    <BarChart
      label={
        first && last
          ? t(`overview.monthly.chart.${mode}`, {
              from: monthName(first.month),
              to: monthName(last.month),
              amount: money(last.amount),
              count: last.supporters,
            })
          : t('overview.first')
      }
      axis={[...down.toReversed(), ...up]}
      axisText={(value) => (isMoney ? money(value) : formatCount(language, value))}
      places={places}
      mostGap={12}
      count={months.length}
      words={(place) => {
        const { month = '', amount = 0, supporters = 0, came = 0, gone = 0 } = months[place] ?? {};
        const rest = [
          t('overview.tipBackers', { count: supporters }),
          came > 0 && t('overview.monthly.came', { count: came }),
          gone > 0 && t('overview.monthly.gone', { count: gone }),
        ];
        return [monthName(month), money(amount), rest.filter(Boolean).join(', ')];
      }}
      chooserLabel={t('overview.monthly.chosen')}
      page={12}
      isTall
      empty={months.length === 0 ? t('overview.first') : undefined}
      under={(percent) => (
        <>
          <div className={classes.months} aria-hidden="true">
            {places <= 13 &&
              [...months, next_month].map(({ month }, place) => (
                <span key={month} style={{ left: percent(place) }}>
                  {isMoney || place < months.length ? formatMonthName(language, month, 'short') : ''}
                </span>
              ))}
          </div>
          {places > 13 && first && last && (
            <AxisDays first={monthName(first.month)} last={monthName(next_month.month)} />
          )}
        </>
      )}
    >
      {({ bar, hatch }) => (
        <>
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
                  fill={hatch}
                  className={classes.plan}
                />
              )}
            </>
          )}
        </>
      )}
    </BarChart>
  );
}
