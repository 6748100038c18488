import { useState } from 'react';
import type { Reward } from '../../api/content';
import { isGone } from '../../domain/stock';

/**
 * Why the reward in the path cannot be had. taken: somebody else has what was chosen here · withdrawn: the creator has taken
 * it away since · gone: nothing was left before · unknown: the campaign has no such reward.
 */
export type RewardProblem = 'taken' | 'withdrawn' | 'gone' | 'unknown';

/** The reward that the path names. */
export interface ChosenReward {
  /** All that there are. Nothing is left of what the server has refused, until they have been read again. */
  rewards: readonly Reward[];
  /** Undefined as soon as it cannot be had, so that no sum is left of it. */
  reward: Reward | undefined;
  problem: RewardProblem | undefined;
  /** The server has refused it. */
  isRefused: boolean;
  /** What it cost, to offer what is nearest to it. */
  amount: number | undefined;
  /** To be called when the server has refused it. isClosed: not because it ran out. */
  onRefused: (isClosed: boolean) => void;
  /** To be called when the rewards have been read again after that. What can be had again is offered, not chosen. */
  onReadAgain: () => void;
  /** To be called when a reward is chosen, also the one that the path names. */
  onChosen: () => void;
}

interface RefusedReward {
  id: number;
  isClosed: boolean;
  isReadAgain: boolean;
}

/** Follows the reward that was chosen, which may run out while one types. */
export function useChosenReward(rewards: readonly Reward[], choice: number | undefined): ChosenReward {
  const [seen, setSeen] = useState<Reward>();
  const [refused, setRefused] = useState<RefusedReward>();
  const left = refused && !refused.isReadAgain ? without(rewards, refused) : rewards;
  const named = left.find(({ reward_id }) => reward_id === choice);
  const isRefused = refused !== undefined && refused.id === choice;
  const reward = named && !isGone(named) && !isRefused ? named : undefined;
  if (reward && seen?.reward_id !== reward.reward_id) setSeen(reward);
  const wasFree = seen !== undefined && seen.reward_id === choice;
  return {
    rewards: left,
    reward,
    problem: reward || choice === undefined ? undefined : problemOf(wasFree, named !== undefined),
    isRefused,
    amount: named?.amount ?? (wasFree ? seen.amount : undefined),
    onRefused: (isClosed) => choice !== undefined && setRefused({ id: choice, isClosed, isReadAgain: false }),
    onReadAgain: () => setRefused((now) => now && { ...now, isReadAgain: true }),
    onChosen: () => setRefused((now) => (now?.isReadAgain ? undefined : now)),
  };
}

function without(rewards: readonly Reward[], { id, isClosed }: RefusedReward): readonly Reward[] {
  if (isClosed) return rewards.filter(({ reward_id }) => reward_id !== id);
  return rewards.map((one) => (one.reward_id === id ? { ...one, stock: 1, stock_reserved: 1 } : one));
}

function problemOf(wasFree: boolean, isThere: boolean): RewardProblem {
  if (wasFree) return isThere ? 'taken' : 'withdrawn';
  return isThere ? 'gone' : 'unknown';
}
