import type { Campaign } from '../../../api/content';
import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { namedOf } from '../named';

/** The path of the checkout, with the chosen reward if there is one. */
export function pledgePath(language: Language, campaign: Campaign, chosenReward?: number): string {
  const named = namedOf(campaign);
  return chosenReward ? paths.pledgeReward(language, named, chosenReward) : paths.pledge(language, named);
}
