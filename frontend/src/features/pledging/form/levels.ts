import type { Reward } from '../../../api/content';
import { fromCents, parseCents, toCents } from '../../../domain/amounts';
import type { PledgeValues } from './values';

/**
 * The rewards of a monthly campaign as levels of support: one of each a month, without what only a single order has (a
 * quantity, delivery costs, questions).
 */
export function levelsOf(rewards: readonly Reward[]): Reward[] {
  return rewards.map((reward) => ({
    ...reward,
    added_costs: [],
    custom_questions: [],
    asks_for_address: false,
  }));
}

/** The level of an amount, unless it was named as one's own. */
export function levelAt(
  levels: readonly Reward[],
  amount: number | undefined,
  { without_reward, level }: Pick<PledgeValues, 'without_reward' | 'level'>,
): Reward | undefined {
  if (without_reward) return undefined;
  const fitting = levels.filter((one) => one.amount === amount);
  return fitting.find(({ reward_id }) => reward_id === level) ?? fitting[0];
}

type Choice = Pick<PledgeValues, 'without_reward' | 'chosen_amount' | 'amount'>;

/** The form's choice that fits the amount in the path: its level, or one's own amount if there is no such level. */
export function choiceAt(values: Choice, levels: readonly Reward[], amount: number | undefined): Choice {
  const chosen_amount = 'custom';
  if (amount === undefined) return { ...pick(values), chosen_amount };
  const isOwn = values.without_reward && parseCents(values.amount) === toCents(amount);
  if (isOwn) return { ...pick(values), chosen_amount };
  return levels.some((level) => level.amount === amount)
    ? { ...pick(values), chosen_amount, without_reward: false }
    : { chosen_amount, without_reward: true, amount: String(amount) };
}

const pick = ({ without_reward, amount }: Choice) => ({ without_reward, amount });

/** Reads an amount from the path, in the major unit with at most two decimals; undefined if it is none. */
export function amountParam(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}(\.\d{1,2})?$/.test(value) ? Number(value) : undefined;
}

/** A typed amount in cents; undefined also for one that no path can have, of which its field says that it is too high. */
export function pathCents(typed: string): number | undefined {
  const cents = parseCents(typed);
  return cents !== undefined && amountParam(String(fromCents(cents))) !== undefined ? cents : undefined;
}
