import type { CustomQuestion, Reward } from '../../../api/content';
import type { LocalUser } from '../../../api/session';
import { defaultCustomAmount, type SuggestedAmount } from '../../../domain/amounts';
import { homeCountry } from '../../../domain/countries';
import { asksForAddress } from '../../../domain/rewards';
import type { AppForm } from '../../../ui/useAppForm';
import type { Method } from '../methods';
import type { Draft } from '../storage';

/** The name of the field for a creator's question. */
type QuestionField = `question_${string}`;

/** The form's values. */
export interface PledgeValues {
  [answer: QuestionField]: string;
  /** The choice to pledge without a reward. False with no reward in the path: nothing is chosen yet. */
  without_reward: boolean;
  /** Of a monthly campaign: the level that was pressed, because two may cost the same. 0 for none. */
  level: number;
  /** A suggested amount in the major unit, or 'custom' for what is typed in `amount`. Empty: not chosen yet. */
  chosen_amount: '' | SuggestedAmount | 'custom';
  amount: string;
  quantity: string;
  /** The index in the reward's added costs; -1 until it is chosen. */
  added_cost: number;
  /** A voluntary extra amount, as typed. */
  extra: string;
  email: string;
  first_name: string;
  last_name: string;
  /** Hides the name from others. */
  anonymous: boolean;
  /** Hides the sum from others. */
  hide_amount: boolean;
  account: 'none' | 'new' | 'existing';
  password: string;
  password_again: string;
  address_street: string;
  address_postcode: string;
  address_city: string;
  address_phone: string;
  address_country: string;
  /** Empty: not chosen yet. */
  method: Method | '';
  /** The provider's id of the kept card that is chosen. */
  kept_card: string;
  /** Offers the card that is typed again. */
  remember_card: boolean;
  /** What is debited: 'new', 'earlier' for one that was used before, or the id of an account. Empty: not chosen yet. */
  bank_account: string;
  /** Offers the account that is typed again. */
  remember_account: boolean;
  bank_owner: string;
  bank_iban: string;
  bank_street: string;
  bank_postcode: string;
  bank_city: string;
  bank_country: string;
  /** YYYY-MM-DD. */
  birthdate: string;
  nationality: string;
  residence_country: string;
}

/** The form's fields but for those of a creator's questions. */
export type FieldName = Exclude<keyof PledgeValues, QuestionField>;

/** The form for its sections. Only Checkout needs formProps, for the <form>. */
export type PledgeForm = Omit<AppForm<PledgeValues>, 'formProps'>;

/** Contains the reward's id, because another reward may have a different question under the same key. */
export function questionField(rewardId: number, key: string): QuestionField {
  return `question_${rewardId}_${key}`;
}

/** The answer to a reward's question; empty if there is none. */
export function answerOf(values: PledgeValues, reward: Reward, key: string): string {
  return values[questionField(reward.reward_id, key)] ?? '';
}

/** The reward's questions without the special one that asks for an address, which shows the address fields. */
export function shownQuestions(reward: Reward | undefined): readonly CustomQuestion[] {
  return reward?.custom_questions.filter(({ text }) => text !== asksForAddress) ?? [];
}

/** The form's initial values: from the draft, else from the user's account. */
export function initialValues(
  rewards: readonly Reward[],
  user: LocalUser | null,
  draft: Draft | undefined,
): PledgeValues {
  const answers = rewards.flatMap((reward) =>
    shownQuestions(reward).map(({ key }) => [questionField(reward.reward_id, key), ''] as const),
  );
  const fresh: PledgeValues = {
    ...(Object.fromEntries(answers) as Record<QuestionField, string>),
    without_reward: false,
    level: 0,
    chosen_amount: '',
    amount: String(defaultCustomAmount),
    quantity: '1',
    added_cost: -1,
    extra: '',
    email: user?.email ?? '',
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
    anonymous: false,
    hide_amount: false,
    account: 'none',
    password: '',
    password_again: '',
    address_street: '',
    address_postcode: '',
    address_city: '',
    address_phone: '',
    address_country: homeCountry,
    method: '',
    kept_card: '',
    remember_card: false,
    bank_account: 'new',
    remember_account: false,
    bank_owner: '',
    bank_iban: '',
    bank_street: '',
    bank_postcode: '',
    bank_city: '',
    bank_country: homeCountry,
    birthdate: '',
    nationality: homeCountry,
    residence_country: homeCountry,
  };
  // Only fields that still exist with the same type: rewards may have changed since the draft was saved.
  const kept = Object.entries(draft ?? {}).filter(
    ([name, value]) =>
      name in fresh && typeof value === typeof fresh[name as keyof PledgeValues] && value !== '',
  );
  return { ...fresh, ...Object.fromEntries(kept) };
}
