import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OverviewMonthly } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../i18n/format';
import { Disclosure } from '../../ui/Disclosure';
import { Segments } from '../../ui/Segments';
import classes from './DayChart.module.css';
import { MonthBars } from './MonthBars';
import part from './Part.module.css';
import { planOf, type MonthMode } from './rules';

export interface MonthChartProps {
  monthly: OverviewMonthly;
  currency: string;
}

/** Monthly support by month, as a chart and as a table, with a sentence about who came and went. */
export function MonthChart({ monthly, currency }: MonthChartProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [mode, setMode] = useState<MonthMode>('money');
  const { months, next_month } = monthly;
  const plan = planOf(next_month);
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const last = months.at(-1);
  return (
    <section className={classes.root} aria-labelledby="overview-months">
      <div className={part.head}>
        <h2 id="overview-months">{t('overview.monthly.byMonth')}</h2>
        {last && (
          <Segments
            label={t('overview.mode')}
            value={mode}
            segments={[
              { value: 'money', label: t('overview.monthly.money') },
              { value: 'people', label: t('overview.monthly.people') },
            ]}
            onChange={setMode}
          />
        )}
      </div>
      <MonthBars monthly={monthly} currency={currency} mode={mode} />
      {last && (
        <>
          <ul className={classes.legend}>
            {mode === 'people' ? (
              <>
                <li>
                  <span className={`${part.key} ${classes.came}`} />
                  {t('overview.monthly.cameKey')}
                </li>
                <li>
                  <span className={`${part.key} ${classes.gone}`} />
                  {t('overview.monthly.goneKey')}
                </li>
              </>
            ) : (
              <>
                <li>
                  <span className={`${part.key} ${classes.solid}`} />
                  {t('overview.monthly.atEnd')}
                </li>
                <li>
                  <span className={`${part.key} ${classes.plan}`} />
                  {t('overview.monthly.sureKey')}
                </li>
                {plan.atRisk > 0 && (
                  <li>
                    <span className={`${part.key} ${part.hatch}`} />
                    {t('overview.monthly.riskKey')}
                  </li>
                )}
              </>
            )}
          </ul>
          <p className={classes.conclusion}>
            {last.came > 0
              ? t('overview.monthly.cameThis', { count: last.came })
              : t('overview.monthly.cameNobody')}{' '}
            {last.gone > 0
              ? t('overview.monthly.goneThis', { count: last.gone })
              : t('overview.monthly.goneNobody')}
          </p>
          <Disclosure label={t('overview.asTable')} className={classes.table}>
            <table>
              <thead>
                <tr>
                  {(['month', 'supporters', 'came', 'gone', 'resting', 'amount', 'received'] as const).map(
                    (column) => (
                      <th key={column} scope="col">
                        {t(`overview.monthly.column.${column}`)}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {months.map(({ month, supporters, came, gone, resting, amount, received }) => (
                  <tr key={month}>
                    <th scope="row">{formatMonth(language, month.slice(0, 7))}</th>
                    {[supporters, came, gone, resting].map((count, column) => (
                      // The columns never change their order.
                      <td key={column}>{formatCount(language, count)}</td>
                    ))}
                    <td>{money(amount)}</td>
                    <td>{money(received)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Disclosure>
        </>
      )}
    </section>
  );
}
