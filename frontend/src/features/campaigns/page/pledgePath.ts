import type { Campaign, Reward } from '../../../api/content';
import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { isRecurring } from '../../../domain/stages';
import { namedOf } from '../named';

/** The button that leads to the checkout. */
export interface SupportLink {
  path: string;
  label: string;
}

/** The path of the checkout, with the chosen reward if there is one. */
export function pledgePath(language: Language, campaign: Campaign, chosenReward?: number): string {
  const named = namedOf(campaign);
  return chosenReward ? paths.pledgeReward(language, named, chosenReward) : paths.pledge(language, named);
}

/** The path of the checkout with a reward chosen, or of a monthly campaign with the amount of a level. */
export function rewardPath(language: Language, campaign: Campaign, reward: Reward): string {
  return isRecurring(campaign.stage)
    ? paths.pledgeAmount(language, namedOf(campaign), reward.amount)
    : pledgePath(language, campaign, reward.reward_id);
}
