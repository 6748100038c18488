import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Campaign } from '../../../api/content.generated';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Money } from '../../../ui/Money';
import { sortRewards } from '../../../domain/rewards';
import { stepsOf, supportersOf } from '../rules';
import { GoalLadder } from './GoalLadder';
import { LikeButton } from './LikeButton';
import classes from './MonthlyPanel.module.css';
import panel from './PledgePanel.module.css';
import { ShareButton } from './ShareButton';

export interface MonthlyPanelProps {
  campaign: Campaign;
}

/** What comes in every month, and what it leads to. */
export function MonthlyPanel({ campaign }: MonthlyPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useCampaignRewardsQuery({ campaignId: campaign.campaign_id, language });
  const { subscriptions, currency } = campaign;
  const supporters = supportersOf(campaign);
  const levels = sortRewards(data?.rewards ?? []).map(({ amount }) =>
    formatMoney(language, amount, { cents: false, currency }),
  );

  return (
    <section aria-label={t('campaign.panel')} className={panel.root}>
      {campaign.hide_funding_amount ? (
        <p className={panel.hidden}>{t('progress.hidden')}</p>
      ) : (
        <p>
          <Money amount={subscriptions?.subscriptions_amount_total ?? 0} currency={currency} look="big" />{' '}
          <span className={classes.month}>{t('campaign.inMonth')}</span>
        </p>
      )}
      {!campaign.hide_member_count && (
        <p className={panel.under}>
          {t('campaign.from')}{' '}
          <b className={classes.count}>{t('campaign.fromSupporters', { count: supporters })}</b>
        </p>
      )}
      {subscriptions && subscriptions.subscriptions_goals.length > 0 && (
        <div id="goals" data-aside="" className={classes.goals}>
          <GoalLadder
            steps={stepsOf(subscriptions, supporters)}
            supporters={campaign.hide_member_count ? undefined : supporters}
          />
        </div>
      )}
      {levels.length > 0 && (
        <p className={classes.levels}>
          {t('campaign.levels')}: {levels.join(' · ')}
        </p>
      )}
      <p className={panel.ended}>{t('campaign.monthlyLater')}</p>
      <div className={panel.pair}>
        <LikeButton campaign={campaign} />
        <ShareButton title={campaign.title} />
      </div>
    </section>
  );
}
