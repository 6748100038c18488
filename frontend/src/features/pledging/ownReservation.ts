import type { Reward } from '../../api/content';
import type { NewPledge } from '../../api/pledging';
import type { Submission } from './flow/submissions';

/**
 * Rewards with the stock that this backer can still take. After a reload the server's stock excludes what the backer's
 * own unpaid pledge has reserved, so that the last item would look sold out to the person who has reserved it.
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
  // The format of contentOf.
  return (JSON.parse(content) as { newPledge?: NewPledge }).newPledge;
}
