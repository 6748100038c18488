import type { NewPledge, Reward } from '../../api/content';
import type { Submission } from './flow/submissions';

/**
 * Rewards as this backer may take them: what their own unpaid pledge holds is not gone for them. After a reload the
 * server counts it as reserved, and the last item would look lost to the very person who has it.
 */
export function withoutOwnReservation(
  rewards: readonly Reward[],
  submission: Submission | undefined,
): Reward[] {
  const ownPledge = submission?.pledgeId ? pledgeOf(submission) : undefined;
  return rewards.map((reward) =>
    reward.stock > 0 && reward.reward_id === ownPledge?.reward_id
      ? {
          ...reward,
          stock_reserved: Math.max(0, reward.stock_reserved - (ownPledge.pledge_meta.quantity ?? 1)),
        }
      : reward,
  );
}

function pledgeOf({ content }: Submission): NewPledge | undefined {
  // Written by contentOf.
  return (JSON.parse(content) as { newPledge?: NewPledge }).newPledge;
}
