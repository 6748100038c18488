import type { CustomQuestion, Reward } from '../../../api/content';
import type { NewPledge } from '../../../api/pledging';
import type { LocalUser } from '../../../api/session';
import type { FieldError } from '../../../api/apiError';
import {
  defaultCustomAmount,
  fromCents,
  parseCents,
  rewardTotalCents,
  type SuggestedAmount,
} from '../../../domain/amounts';
import { homeCountry } from '../../../domain/countries';
import type { Language } from '../../../domain/languages';
import { asksForAddress } from '../../../domain/rewards';
import type { AppForm } from '../../../ui/useAppForm';
import { compactIban } from '../bank/iban';
import type { Account, DebitAccount, Means, Purchase } from '../flow/order';
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

/** What an order needs besides the form's values. */
export interface OrderContext {
  campaignId: number;
  reward: Reward | undefined;
  language: Language;
  isSignedIn: boolean;
  /** The provider has to know more of who pays. */
  needsPayer: boolean;
}

/** What the form's values buy. Has only the fields that the reward and the way of paying ask for. */
export function purchaseOf(values: PledgeValues, context: OrderContext): Purchase {
  const { campaignId, reward } = context;
  const { totalCents, quantity } = sumOf(values, reward);
  return {
    campaignId,
    newPledge: {
      amount: fromCents(totalCents),
      reward_id: reward?.reward_id ?? null,
      ...(reward && { reward_version: reward.reward_version }),
      pledge_meta: metaOf(values, context, quantity),
    },
  };
}

const ownWays = {
  stripe: { card: 'card', page: 'page' },
  mangopay: { card: 'ownCard', page: 'ownPage' },
} as const;

/** How the form's values pay, at the provider that takes what is chosen; undefined while nothing is. */
export function meansOf(
  values: PledgeValues,
  provider: keyof typeof ownWays,
  isSignedIn: boolean,
): Means | undefined {
  const { method } = values;
  switch (method) {
    case '':
      return undefined;
    case 'kept':
      return { method: 'keptCard', cardId: values.kept_card };
    case 'card': {
      const way = ownWays[provider].card;
      return way === 'ownCard'
        ? { method: way, isKept: isSignedIn && values.remember_card }
        : { method: way };
    }
    case 'bank':
      return { method: 'bank', account: accountToDebit(values) };
    case 'page':
      return { method: ownWays[provider].page };
    default:
      return method satisfies never;
  }
}

function accountToDebit(values: PledgeValues): DebitAccount | undefined {
  const { bank_account: chosen } = values;
  if (chosen === 'earlier') return undefined;
  if (chosen !== 'new') return { kind: 'known', id: chosen };
  return {
    kind: 'new',
    account: {
      OwnerName: values.bank_owner.trim(),
      OwnerAddress: {
        AddressLine1: values.bank_street.trim(),
        City: values.bank_city.trim(),
        PostalCode: values.bank_postcode.trim(),
        Country: values.bank_country,
      },
      IBAN: compactIban(values.bank_iban),
    },
  };
}

type Meta = NewPledge['pledge_meta'];

function metaOf(values: PledgeValues, context: OrderContext, quantity: number): Meta {
  const { reward, language } = context;
  const meta: Meta = {
    email: values.email.trim(),
    first_name: values.first_name.trim(),
    last_name: values.last_name.trim(),
    anonymous: values.anonymous,
    hide_amount: values.hide_amount,
    language,
    ...(context.needsPayer && {
      birthdate: values.birthdate,
      nationality: values.nationality,
      residence_country: values.residence_country,
    }),
  };
  if (!reward) return meta;
  meta.quantity = quantity;
  if (reward.added_costs.length > 0) meta.added_cost = addedCostIndex(values, reward);
  if (needsAddress(values, reward)) {
    meta.address_street = values.address_street.trim();
    meta.address_postcode = values.address_postcode.trim();
    meta.address_city = values.address_city.trim();
    meta.address_country = values.address_country;
    if (values.address_phone.trim()) meta.address_phone = values.address_phone.trim();
  }
  const questions = shownQuestions(reward);
  if (questions.length > 0) {
    meta.custom_questions = Object.fromEntries(
      questions.map(({ key }) => [key, answerOf(values, reward, key).trim()]),
    );
  }
  return meta;
}

/** The account to sign in to or to create; undefined for none. */
export function accountOf(values: PledgeValues, isSignedIn: boolean): Account | undefined {
  if (isSignedIn || values.account === 'none') return undefined;
  const email = values.email.trim();
  const { password } = values;
  if (values.account === 'existing') return { kind: 'existing', email, password };
  const names = { first_name: values.first_name.trim(), last_name: values.last_name.trim() };
  return { kind: 'new', email, password, ...names };
}

/** Renames the fields of the server's validation errors to those of this form. */
export function asFormErrors(errors: readonly FieldError[], reward: Reward | undefined): FieldError[] {
  return errors.map((error) => ({ ...error, path: formPath(error.path, reward) }));
}

/** The fields of a new account, by their names in the API. */
const accountFields: Readonly<Record<string, FieldName | undefined>> = {
  IBAN: 'bank_iban',
  OwnerName: 'bank_owner',
  'OwnerAddress.AddressLine1': 'bank_street',
  'OwnerAddress.PostalCode': 'bank_postcode',
  'OwnerAddress.City': 'bank_city',
  'OwnerAddress.Country': 'bank_country',
};

function formPath(path: string, reward: Reward | undefined): string {
  if (path === 'amount' && reward) return 'extra';
  const ofAccount = accountFields[path];
  if (ofAccount) return ofAccount;
  const question = /^pledge_meta\.custom_questions\.(\w+)$/.exec(path)?.[1];
  return question && reward ? questionField(reward.reward_id, question) : path;
}
