import type { RewardAdmin } from '../../../api/editing';
import { keptOnDevice } from '../kept';
import type { RewardDraft } from './draft';

/** A form that the device keeps until it is saved. */
export interface KeptDraft {
  /** The reward's version that it was begun with. */
  version: number;
  draft: RewardDraft;
  /** With which a new reward is begun: once, however often it is tried. */
  key?: string;
}

/** The form of a reward on this device; of new ones there is one in each campaign. */
export function keptReward(userId: number, reward: Pick<RewardAdmin, 'reward_id' | 'campaign_id'>) {
  const { reward_id, campaign_id } = reward;
  return keptOnDevice<KeptDraft>(userId, reward_id ? `reward-${reward_id}` : `new-reward-${campaign_id}`);
}
