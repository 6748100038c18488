import { useTranslation } from 'react-i18next';
import type { CampaignOverview, OverviewMonthly } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount, formatMoney, formatShare } from '../../i18n/format';
import { Figure } from './Figure';
import classes from './Overview.module.css';

export interface MonthlySumProps {
  overview: CampaignOverview;
  monthly: OverviewMonthly;
}

/** The sums of monthly support now. */
export function MonthlySum({ overview, monthly }: MonthlySumProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, average, conversion } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  return (
    <section className={classes.sum} aria-label={t('campaignPage.panel')}>
      <div className={classes.figures}>
        <div className={classes.reached}>
          <p className={classes.amount}>{money(monthly.amount)}</p>
          <p className={classes.quiet}>{t('campaignPage.inMonth')}</p>
        </div>
        <Figure
          value={formatCount(language, monthly.supporters)}
          words={t('overview.backers', { count: monthly.supporters })}
        />
        {monthly.resting > 0 && (
          <Figure value={formatCount(language, monthly.resting)} words={t('overview.monthly.resting')} />
        )}
        {conversion !== undefined && (
          <Figure value={formatShare(language, conversion)} words={t('overview.conversion')} />
        )}
        {average !== undefined && <Figure value={money(average)} words={t('overview.average')} />}
      </div>
    </section>
  );
}
