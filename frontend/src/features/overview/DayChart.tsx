import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignOverview } from '../../api/editing';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatCount, formatDay, formatMoney } from '../../i18n/format';
import { exactMoney } from '../../i18n/progressText';
import { Disclosure } from '../../ui/Disclosure';
import { Segments } from '../../ui/Segments';
import { DayBars } from './DayBars';
import classes from './DayChart.module.css';
import part from './Part.module.css';
import { barsOf, concludePace, isWeek, type ChartMode } from './rules';

/** The money by day, as a chart and as a table, with a sentence about the pace. */
export function DayChart({ overview }: { overview: CampaignOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [mode, setMode] = useState<ChartMode>('day');
  const { currency, funding_reached, funding_settling, pace, posts } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const bars = barsOf(overview.days, mode);
  const isEmpty = overview.number_of_backers === 0 && funding_settling === 0;
  return (
    <section className={classes.root} aria-labelledby="overview-days">
      <div className={part.head}>
        <h2 id="overview-days">{t('overview.byDay')}</h2>
        {!isEmpty && (
          <Segments
            label={t('overview.mode')}
            value={mode}
            segments={[
              { value: 'day', label: t('overview.day') },
              { value: 'total', label: t('overview.total') },
            ]}
            onChange={setMode}
          />
        )}
      </div>
      <DayBars overview={overview} bars={bars} mode={mode} isEmpty={isEmpty} />
      {isEmpty ? (
        <Conclusion overview={overview} />
      ) : (
        <>
          <ul className={classes.legend}>
            <li>
              <span className={`${part.key} ${classes.solid}`} />
              {t('overview.confirmed', { amount: money(funding_reached) })}
            </li>
            {funding_settling > 0 && (
              <li>
                <span className={`${part.key} ${part.hatch}`} />
                {t('overview.settlingOf', { amount: money(funding_settling) })}
              </li>
            )}
            {posts.length > 0 && (
              <li>
                <svg width="10" height="14" viewBox="-5 -7 10 14" aria-hidden="true">
                  <path d="M-4 6Q-4 -3 4 -6Q4 3 -4 6Z" fill="var(--tk-spruce)" />
                </svg>
                {t('overview.update')}
              </li>
            )}
            {pace && mode === 'day' && (
              <li>
                <span className={classes.lineKey} />
                {t('overview.needed')}
              </li>
            )}
          </ul>
          <Conclusion overview={overview} />
          <Disclosure label={t('overview.asTable')} className={classes.table}>
            <table>
              <thead>
                <tr>
                  {(['columnDay', 'columnAmount', 'columnSettling', 'columnBackers'] as const).map(
                    (column) => (
                      <th key={column} scope="col">
                        {t(`overview.${column}`)}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {bars.map(({ day, amount, settling, backers }) => (
                  <tr key={day}>
                    <th scope="row">{formatDay(language, day)}</th>
                    <td>{money(amount)}</td>
                    <td>{money(settling)}</td>
                    <td>{formatCount(language, backers)}</td>
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

/** Whether the pace is enough to reach the goal, in words. */
function Conclusion({ overview }: { overview: CampaignOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pace, currency, target_goal, funding_reached, stage } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  if (!pace)
    return stage === campaignStages.funding && target_goal > 0 && funding_reached >= target_goal ? (
      <p className={classes.conclusion}>{t('overview.pace.reached')}</p>
    ) : null;
  const conclusion = concludePace(pace);
  const recent = { count: pace.recent_days, last: money(pace.recent_a_day) };
  return (
    <p className={classes.conclusion}>
      {t('overview.pace.left', {
        count: pace.days_left,
        missing: exactMoney(language, pace.missing, currency),
        // Rounded up, so that this sum a day does reach the goal.
        needed: money(Math.ceil(pace.needed_a_day)),
      })}{' '}
      {conclusion === 'firstDay'
        ? t('overview.pace.firstDay')
        : isWeek(pace)
          ? t(`overview.pace.week.${conclusion}`, recent)
          : t(`overview.pace.young.${conclusion}`, recent)}
    </p>
  );
}
