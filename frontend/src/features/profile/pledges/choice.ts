import type { Reward } from '../../../api/content';
import type { OwnPledge, PledgeChoice } from '../../../api/own';
import { fromCents, parseCents, plainAmount, toCents } from '../../../domain/amounts';
import { all, deliveryPostcode, maxLength, required } from '../../../domain/rules';
import { stockLeft } from '../../../domain/stock';
import { sumFault } from '../../../domain/sums';
import type { Faults } from '../../../ui/useAppForm';

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

/** The least that can be charged further. */
export const leastCents = 50;

/** How many a pledge may be for of the reward that it has: what is left is beside what is theirs already. */
export function mostOfSame(has: number, reward: Reward | undefined): number {
  if (!reward) return has;
  return Math.max(has, Math.min(has + (stockLeft(reward) ?? reward.quantity_max), reward.quantity_max));
}

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

/** Without the one that stands for the address. */
export const questionsOf = (reward: Reward) =>
  reward.custom_questions.filter(({ text }) => text !== 'ask_for_address');

/** An amount as it is typed into a field. */
export const plainText = (amount: number) => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));

/** What is missing or wrong. */
export function faultsOf(pledge: OwnPledge, values: ChoiceValues, reward: Reward | undefined): Faults {
  const faults: Record<string, Faults[string]> = {};
  if (values.amount.trim() !== '') faults.amount = sumFault(values.amount, 0, fromCents);
  if (values.reward === '' && values.amount.trim() === '') faults.amount = { key: 'required' };
  if (isKept(pledge, values) || !reward) return faults;
  if (reward.added_costs.length > 0 && additionOf(values, reward) < 0)
    faults.added_cost = { key: 'required' };
  if (isSent(values, reward)) {
    faults.address_street = all(required, maxLength(200))(values.address_street, values);
    faults.address_postcode = deliveryPostcode(values.address_country)(values.address_postcode, values);
    faults.address_city = all(required, maxLength(100))(values.address_city, values);
  }
  for (const { key } of questionsOf(reward))
    faults[key] = all(required, maxLength(1000))(values.custom_questions[key] ?? '', values);
  return faults;
}

/** The change as it is sent, but for its key. */
export function bodyOf(
  pledge: OwnPledge,
  values: ChoiceValues,
  reward: Reward | undefined,
): Omit<PledgeChoice, 'key'> {
  const body = {
    number: pledge.choice.number,
    reward_id: values.reward === '' ? null : Number(values.reward),
    quantity: values.reward === '' ? 1 : Number(values.quantity),
    amount: fromCents(thenCents(pledge, values, reward) ?? 0),
  };
  if (isKept(pledge, values) || !reward) return body;
  const { address_street, address_postcode, address_city, address_country, address_phone } = values;
  return {
    ...body,
    reward_version: reward.reward_version,
    ...(reward.added_costs.length > 0 && { added_cost: additionOf(values, reward) }),
    ...(isSent(values, reward) && {
      address_street,
      address_postcode: plainAmount(address_postcode),
      address_city,
      address_country,
      address_phone,
    }),
    custom_questions: values.custom_questions,
  };
}
