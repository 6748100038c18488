import type { Reward } from '../../../api/content';
import type { Draft } from '../storage';
import type { FieldName, PledgeValues } from './values';

const seenReward = 'seen_reward';

/** What a draft keeps, on the device. A new field decides: secrets, such as a number of an account, are not kept. */
const isKept: Readonly<Record<FieldName, boolean>> = {
  without_reward: true,
  level: true,
  chosen_amount: true,
  amount: true,
  quantity: true,
  added_cost: true,
  extra: true,
  email: true,
  first_name: true,
  last_name: true,
  anonymous: true,
  hide_amount: true,
  account: true,
  password: false,
  password_again: false,
  address_street: true,
  address_postcode: true,
  address_city: true,
  address_phone: true,
  address_country: true,
  method: true,
  kept_card: false,
  remember_card: true,
  bank_account: false,
  remember_account: true,
  bank_owner: true,
  bank_iban: false,
  bank_street: true,
  bank_postcode: true,
  bank_city: true,
  bank_country: true,
  birthdate: true,
  nationality: true,
  residence_country: true,
};

/** The draft of a form: its values that may be kept, and the reward that it was filled in for. */
export function draftOf(values: PledgeValues, reward: Reward | undefined): Draft {
  const kept = Object.entries(values).filter(
    ([name]) => name.startsWith('question_') || (isKept as Record<string, boolean | undefined>)[name],
  );
  return { ...Object.fromEntries(kept), [seenReward]: reward };
}

/** The reward that a draft was filled in for, as it was then. */
export function rewardOfDraft(draft: Draft | undefined): Reward | undefined {
  return draft?.[seenReward] as Reward | undefined;
}
