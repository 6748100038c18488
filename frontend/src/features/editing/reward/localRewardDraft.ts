import type { RewardAdmin } from '../../../api/editing';
import { localDraft } from '../localDraft';
import type { RewardDraft } from './draft';

/** An unsaved form, as kept on the device. */
export interface StoredRewardDraft {
  /** The reward's version that the form is based on. */
  version: number;
  draft: RewardDraft;
  /** The idempotency key of creating a new reward, so that retries create only one. */
  key?: string;
}

/** The unsaved form of a reward on this device. There can be one new reward in each campaign. */
export function localRewardDraft(userId: number, reward: Pick<RewardAdmin, 'reward_id' | 'campaign_id'>) {
  const { reward_id, campaign_id } = reward;
  return localDraft<StoredRewardDraft>(
    userId,
    reward_id ? `reward-${reward_id}` : `new-reward-${campaign_id}`,
  );
}
