import type { Reward } from '../../../api/content';
import type { OwnPledge } from '../../../api/own';
import { parseCents, toCents } from '../../../domain/amounts';

/** What is typed of a changed pledge. */
export interface ChoiceValues {
  /** '' for support without a reward. */
  reward: string;
  quantity: string;
  /** The place of the addition in the reward's list; -1 while none is chosen. */
  added_cost: number;
  /** What is given besides the reward; all of it without one. */
  amount: string;
  address_street: string;
  address_postcode: string;
  address_city: string;
  address_country: string;
  address_phone: string;
  /** The answer to custom_question_N, by its key. */
  custom_questions: Record<string, string>;
}

const count = (typed: string): number => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0);

/** Whether the reward stays, or fewer of it: then its terms stay as they were bought. */
export const isKept = ({ reward_id: was = null, quantity }: OwnPledge, values: ChoiceValues): boolean =>
  values.reward === String(was ?? '') && count(values.quantity) <= quantity;

/** The place of the chosen addition; where there is only one, nobody has to choose. -1 for none. */
export const additionOf = (values: ChoiceValues, reward: Reward | undefined): number =>
  reward?.added_costs.length === 1 ? 0 : values.added_cost;

/** Whether a reward that is chosen anew is sent to an address. */
export function isSent(values: ChoiceValues, reward: Reward | undefined): boolean {
  if (!reward?.asks_for_address) return false;
  return !reward.added_costs[additionOf(values, reward)]?.without_address;
}

/** What a pledge comes to after the change, in cents; undefined while a number is none. */
export function thenCents(
  pledge: OwnPledge,
  values: ChoiceValues,
  reward: Reward | undefined,
): number | undefined {
  const besides = values.amount.trim() === '' ? 0 : parseCents(values.amount);
  if (besides === undefined) return undefined;
  if (values.reward === '') return besides;
  const quantity = count(values.quantity);
  if (quantity < 1) return undefined;
  const { unit = 0, added = 0 } = pledge.choice;
  if (isKept(pledge, values)) return quantity * toCents(unit) + toCents(added) + besides;
  if (!reward) return undefined;
  const addition = reward.added_costs[additionOf(values, reward)]?.amount ?? 0;
  return quantity * toCents(reward.amount) + toCents(addition) + besides;
}
