import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import type { CampaignOverview } from '../../api/editing';
import { campaignPercent } from '../../domain/progress';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatCount, formatDate, formatMoney, formatPercent, formatShare } from '../../i18n/format';
import { Picture } from '../../ui/Picture';
import { Progress } from '../../ui/Progress';
import { CancelCampaign, mayCancel } from './CancelCampaign';
import { Comparison } from './Comparison';
import { DayChart } from './DayChart';
import { Deliveries } from './Deliveries';
import { Figure } from './Figure';
import { MonthChart } from './MonthChart';
import { MonthlyGoals } from './MonthlyGoals';
import { MonthlySum } from './MonthlySum';
import { NextMonth } from './NextMonth';
import { NextTasks } from './NextTasks';
import { Rewards } from './Rewards';
import { Settling } from './Settling';
import { Sources } from './Sources';
import classes from './Overview.module.css';

const ended: readonly number[] = [campaignStages.succeeded, campaignStages.notReached];

export interface OverviewProps {
  campaign: Campaign;
  overview: CampaignOverview;
  userId: number;
}

/**
 * The overview of a campaign: sums, next tasks, money by day or month, sources, A/B test, rewards; of pledges the payments that
 * are not confirmed, of monthly support its goals and next month.
 */
export function Overview({ campaign, overview, userId }: OverviewProps) {
  const language = useLanguage();
  const { monthly } = overview;
  const days = [overview.first_day_of_funding, overview.last_day_of_funding];
  const under = [
    overview.legal_creator ?? campaign.creator.name,
    days.every(Boolean) && days.map((day) => formatDate(language, day ?? '')).join(' – '),
  ];
  return (
    <div className={`tk-container ${classes.root}`}>
      <header className={classes.title}>
        <Picture
          name={overview.project_pic}
          alt=""
          ratio={1.4}
          widths={[92, 184]}
          sizes="5.75rem"
          shape="thumb"
          className={classes.picture}
        />
        <div>
          <h1 className="tk-admin-title">{overview.title}</h1>
          <p className="tk-small">{under.filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      {monthly ? <MonthlySum overview={overview} monthly={monthly} /> : <PledgeSum overview={overview} />}
      <NextTasks campaign={campaign} overview={overview} />
      {monthly ? (
        <MonthChart monthly={monthly} currency={overview.currency} />
      ) : (
        <DayChart overview={overview} />
      )}
      <div className={classes.main}>
        {monthly && <MonthlyGoals monthly={monthly} />}
        <Sources overview={overview} />
        <Comparison campaign={campaign} experiment={overview.content_experiment} />
      </div>
      <div className={classes.side}>
        {monthly && <NextMonth nextMonth={monthly.next_month} currency={overview.currency} />}
        <Rewards overview={overview} />
        {ended.includes(campaign.stage) && <Deliveries campaign={campaign} />}
        {!monthly && <Settling campaign={campaign} overview={overview} />}
        {mayCancel(campaign, userId) && <CancelCampaign campaign={campaign} overview={overview} />}
      </div>
    </div>
  );
}

/** The sums of pledges. */
function PledgeSum({ overview }: { overview: CampaignOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currency, funding_reached, funding_settling, target_goal, min_goal } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  return (
    <section className={classes.sum} aria-label={t('campaignPage.panel')}>
      <div className={classes.figures}>
        <div className={classes.reached}>
          <p className={classes.amount}>{money(funding_reached)}</p>
          <p className={classes.quiet}>
            {target_goal > 0
              ? t('overview.percentOf', {
                  percent: formatPercent(language, campaignPercent(funding_reached, target_goal)),
                  goal: money(target_goal),
                })
              : t('overview.noGoal')}
          </p>
        </div>
        <Figure
          value={formatCount(language, overview.number_of_backers)}
          words={t('overview.backers', { count: overview.number_of_backers })}
        />
        {overview.conversion !== undefined && (
          <Figure value={formatShare(language, overview.conversion)} words={t('overview.conversion')} />
        )}
        {overview.average !== undefined && (
          <Figure value={money(overview.average)} words={t('overview.average')} />
        )}
      </div>
      {target_goal > 0 && (
        <Progress
          confirmed={funding_reached}
          settling={funding_settling}
          goal={target_goal}
          minGoal={min_goal}
          currency={currency}
        />
      )}
    </section>
  );
}
