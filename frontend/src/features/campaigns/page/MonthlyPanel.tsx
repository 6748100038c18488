import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Campaign } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Money } from '../../../ui/Money';
import { ShareButton } from '../../../ui/ShareButton';
import { sortRewards } from '../../../domain/rewards';
import { isWithoutSupporters, stepsOf, supportersOf } from '../rules';
import { GoalLadder } from './GoalLadder';
import { LikeButton } from './LikeButton';
import classes from './MonthlyPanel.module.css';
import panel from './PledgePanel.module.css';

export interface MonthlyPanelProps {
  campaign: Campaign;
}

/** The panel of a monthly campaign: the monthly sum, its goals and levels. */
export function MonthlyPanel({ campaign }: MonthlyPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useCampaignRewardsQuery({ campaignId: campaign.campaign_id, language });
  const { subscriptions, currency } = campaign;
  const supporters = supportersOf(campaign);
  const levels = sortRewards(data?.rewards ?? []).map(({ amount }) => amount);
  const lowest = levels[0];
  // Without supporters, the lowest level is shown in place of a large zero.
  const isNew = isWithoutSupporters(campaign) && lowest !== undefined;

  return (
    <section aria-label={t('campaignPage.panel')} className={panel.root}>
      {isNew ? (
        <p>
          <span className={classes.from}>{t('campaignPage.startingAt')}</span>{' '}
          <Money amount={lowest} currency={currency} />{' '}
          <span className={classes.month}>{t('campaignPage.inMonth')}</span>
        </p>
      ) : campaign.hide_funding_amount ? (
        <p className={panel.hidden}>{t('progress.hidden')}</p>
      ) : (
        <p>
          <Money amount={subscriptions?.subscriptions_amount_total ?? 0} currency={currency} />{' '}
          <span className={classes.month}>{t('campaignPage.inMonth')}</span>
        </p>
      )}
      {isNew && <p className={panel.under}>{t('campaignPage.noSupporters')}</p>}
      {!isNew && !campaign.hide_member_count && (
        <p className={panel.under}>
          {t('campaignPage.from')}{' '}
          <b className={classes.count}>{t('campaignPage.fromSupporters', { count: supporters })}</b>
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
          {t('campaignPage.levels')}:{' '}
          {levels.map((amount) => formatMoney(language, amount, { cents: false, currency })).join(' · ')}
        </p>
      )}
      <p className={panel.ended}>{t('campaignPage.monthlyLater')}</p>
      <div className={panel.pair}>
        <LikeButton campaign={campaign} />
        <ShareButton
          title={campaign.title}
          path={paths.campaign(language, { id: campaign.campaign_id, slug: campaign.slug })}
          variant="outline"
          size="sm"
        >
          {t('campaignPage.share')}
        </ShareButton>
      </div>
    </section>
  );
}
