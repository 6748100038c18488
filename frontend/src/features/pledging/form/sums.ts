import type { Reward } from '../../../api/content';
import { parseCents, rewardTotalCents } from '../../../domain/amounts';
import type { PledgeValues } from './values';

/** What the pledge costs, by the lines of the summary, in cents. */
export interface Sum {
  quantity: number;
  rewardCents: number;
  addedCostCents: number;
  extraCents: number;
  totalCents: number;
}

/** Calculates the sum from what is typed. An invalid quantity counts as 1, an invalid amount as 0. */
export function sumOf(values: PledgeValues, reward: Reward | undefined): Sum {
  if (!reward) {
    const totalCents = amountCentsWithoutReward(values) ?? 0;
    return { quantity: 1, rewardCents: 0, addedCostCents: 0, extraCents: totalCents, totalCents };
  }
  const quantity = Math.max(1, /^\d{1,4}$/.test(values.quantity.trim()) ? Number(values.quantity) : 1);
  const addedCost = reward.added_costs[addedCostIndex(values, reward)]?.amount ?? 0;
  const wanted = rewardTotalCents({ rewardAmount: reward.amount, quantity, addedCost });
  const addedCostCents = wanted - rewardTotalCents({ rewardAmount: reward.amount, quantity });
  const extraCents = parseCents(values.extra) ?? 0;
  return {
    quantity,
    rewardCents: wanted - addedCostCents,
    addedCostCents,
    extraCents,
    totalCents: wanted + extraCents,
  };
}

/** The amount of a pledge without a reward; undefined while it is not chosen or not a number. */
function amountCentsWithoutReward({
  without_reward,
  chosen_amount,
  amount,
}: PledgeValues): number | undefined {
  if (!without_reward || chosen_amount === '') return undefined;
  return parseCents(chosen_amount === 'custom' ? amount : chosen_amount);
}

/** Whether a reward, or an amount without one, is chosen. */
export function hasChosen(
  { without_reward, chosen_amount }: PledgeValues,
  reward: Reward | undefined,
): boolean {
  return reward !== undefined || (without_reward && chosen_amount !== '');
}

/** Whether the reward is sent to an address. That may depend on the chosen added cost, such as pick-up or post. */
export function needsAddress(values: PledgeValues, reward: Reward): boolean {
  if (!reward.asks_for_address) return false;
  const isSent = ({ without_address }: Reward['added_costs'][number]) => !without_address;
  // Until pick-up or post is chosen, the address is asked for only if it is needed in any case.
  return lacksAddedCost(values, reward)
    ? reward.added_costs.every(isSent)
    : (reward.added_costs.map(isSent)[addedCostIndex(values, reward)] ?? true);
}

/** The chosen added cost; -1 for none, also when a draft's choice no longer exists. Where there is only one, nobody has to choose. */
export function addedCostIndex({ added_cost }: PledgeValues, reward: Reward): number {
  if (reward.added_costs.length === 1) return 0;
  return added_cost < reward.added_costs.length ? added_cost : -1;
}

/** Whether the reward has added costs of which none is chosen yet. */
export function lacksAddedCost(values: PledgeValues, reward: Reward): boolean {
  return reward.added_costs.length > 0 && addedCostIndex(values, reward) < 0;
}
