import { useSearchParams } from 'react-router-dom';
import { useCampaignRewardsQuery, type Campaign, type Reward } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { sortRewards } from '../../../domain/rewards';
import { isRecurring } from '../../../domain/stages';
import { isGone } from '../../../domain/stock';
import { useLanguage } from '../../../i18n';
import { keepFocus } from '../../../ui/page';
import { namedOf } from '../named';

/** In the address: one's own amount, named on the next page. */
const other = 'other';

/** The choice of monthly support on the campaign's page. It is in the address. */
export interface MonthlyChoice {
  /** Those that can be chosen, the lowest first. */
  levels: readonly Reward[];
  /** They are on their way. */
  isLoading: boolean;
  /** The chosen one; at first none is. */
  level?: Reward;
  /** One's own amount is chosen. */
  isOwn: boolean;
  /** The checkout with the chosen amount. */
  path: string;
  choose: (level: Reward | undefined) => void;
}

/** What is chosen of a monthly campaign's levels. Empty for another campaign. */
export function useMonthlyChoice(campaign: Campaign): MonthlyChoice {
  const language = useLanguage();
  const [search, setSearch] = useSearchParams();
  const { data, isLoading } = useCampaignRewardsQuery(
    { campaignId: campaign.campaign_id, language },
    { skip: !isRecurring(campaign.stage) },
  );
  const levels = sortRewards(data?.rewards ?? []).filter((level) => level.active === 1 && !isGone(level));
  const asked = search.get('reward');
  const level = levels.find(({ reward_id }) => String(reward_id) === asked);
  const named = namedOf(campaign);
  return {
    levels,
    isLoading,
    level,
    isOwn: asked === other,
    path: level ? paths.pledgeAmount(language, named, level.amount) : paths.pledge(language, named),
    choose: (one) =>
      setSearch(
        { reward: one ? String(one.reward_id) : other },
        { replace: true, preventScrollReset: true, state: keepFocus },
      ),
  };
}
