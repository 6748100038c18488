import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Campaign } from '../../../api/content';
import { sortRewards } from '../../../domain/rewards';
import { isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import type { CampaignState } from '../rules';
import { RewardCard } from './RewardCard';
import classes from './Rewards.module.css';

export interface RewardsProps {
  campaign: Campaign;
  state: CampaignState;
  chosenReward?: number;
}

/** The campaign's rewards. Monthly campaigns call them levels. */
export function Rewards({ campaign, state, chosenReward }: RewardsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data, isLoading, isError, refetch } = useCampaignRewardsQuery({
    campaignId: campaign.campaign_id,
    language,
  });
  const rewards = sortRewards(data?.rewards ?? []);
  const isMonthly = isRecurring(campaign.stage);
  const isOffered = state === 'open' || state === 'monthly';
  if (isMonthly && data && rewards.length === 0) return null;

  return (
    <section id="rewards" data-aside="" aria-labelledby="rewards-title" className={classes.root}>
      <h2 id="rewards-title" className={classes.title}>
        {isMonthly ? t('campaignPage.levels') : t('campaignPage.rewards')}
      </h2>
      {isLoading && <LinesSkeleton lines={8} />}
      {isError && !data && <ErrorState onRetry={refetch} />}
      {data && rewards.length === 0 && (
        <EmptyState>{t(isOffered ? 'campaignPage.noRewards' : 'campaignPage.noRewardsHere')}</EmptyState>
      )}
      <ul className={classes.list}>
        {rewards.map((reward) => (
          <li key={reward.reward_id}>
            <RewardCard
              reward={reward}
              campaign={campaign}
              isOffered={isOffered}
              isMonthly={isMonthly}
              isSelected={isOffered && reward.reward_id === chosenReward}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
