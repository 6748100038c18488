import type { RewardAdmin } from '../../../api/editing';
import type { Unsaved } from '../../../ui/saving/unsaved';
import { localDraft, type LocalDraft } from '../../../ui/saving/localDraft';
import type { RewardDraft } from './draft';

/** What is saved of a reward with one press: the whole form. */
export interface RewardParts {
  form: RewardDraft;
}

type Of = Pick<RewardAdmin, 'reward_id' | 'campaign_id'>;

/** The unsaved form of a reward on this device. There can be one new reward in each campaign; created, it `moves` to its own name. */
export function unsavedReward(
  userId: number,
  reward: Of,
): LocalDraft<Unsaved<RewardParts>> & { move: (to: Of) => void } {
  let kept = keptOf(userId, reward);
  return {
    read: () => kept.read(),
    write: (unsaved) => kept.write(unsaved),
    move: (to) => {
      const before = kept;
      kept = keptOf(userId, to);
      kept.write(before.read());
      before.write();
    },
  };
}

const keptOf = (userId: number, { reward_id, campaign_id }: Of) =>
  localDraft<Unsaved<RewardParts>>(userId, reward_id ? `reward-${reward_id}` : `new-reward-${campaign_id}`);
