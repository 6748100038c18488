import type { CustomQuestion, NewPledge, Reward } from '../../../api/content';
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
import type { Account, Method, Order } from '../flow/order';
import type { Draft } from '../storage';

/** Where the answer to a creator's question stands. */
type QuestionField = `question_${string}`;

/** Everything the form holds. */
export interface PledgeValues {
  [answer: QuestionField]: string;
  /** Chosen to give without a reward. Nothing is chosen before the backer chooses. */
  without_reward: boolean;
  /** One of the offered sums in the major unit, or 'custom': then `amount` counts, as typed. */
  chosen_amount: '' | SuggestedAmount | 'custom';
  amount: string;
  quantity: string;
  /** Place in the reward's list. */
  added_cost: number;
  /** As typed: what somebody gives on top. */
  extra: string;
  email: string;
  first_name: string;
  last_name: string;
  anonymous: boolean;
  account: 'none' | 'new' | 'existing';
  password: string;
  password_again: string;
  address_street: string;
  address_postcode: string;
  address_city: string;
  address_phone: string;
  address_country: string;
  method: Method;
}

/** The form as its parts see it; only the page itself holds the <form>. */
export type PledgeForm = Omit<AppForm<PledgeValues>, 'formProps'>;

const secret = ['password', 'password_again'];

/** Answers belong to their reward: another one may ask something else under the same key. */
export function questionField(rewardId: number, key: string): QuestionField {
  return `question_${rewardId}_${key}`;
}

export function answerOf(values: PledgeValues, reward: Reward, key: string): string {
  return values[questionField(reward.reward_id, key)] ?? '';
}

/** The questions that are put as such; the one that asks for an address opens the address fields. */
export function shownQuestions(reward: Reward | undefined): readonly CustomQuestion[] {
  return reward?.custom_questions.filter(({ text }) => text !== asksForAddress) ?? [];
}

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
    chosen_amount: '',
    amount: String(defaultCustomAmount),
    quantity: '1',
    added_cost: 0,
    extra: '',
    email: user?.email ?? '',
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
    anonymous: false,
    account: 'none',
    password: '',
    password_again: '',
    address_street: '',
    address_postcode: '',
    address_city: '',
    address_phone: '',
    address_country: homeCountry,
    method: 'card',
  };
  // Only what this form has and in the kind it has it: rewards change between visits.
  const kept = Object.entries(draft ?? {}).filter(
    ([name, value]) =>
      name in fresh && typeof value === typeof fresh[name as keyof PledgeValues] && value !== '',
  );
  return { ...fresh, ...Object.fromEntries(kept) };
}

export function draftOf(values: PledgeValues): Draft {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name)));
}

/** What the pledge costs, in cents; lines as they stand in the summary. */
export interface Sum {
  quantity: number;
  rewardCents: number;
  addedCostCents: number;
  extraCents: number;
  totalCents: number;
}

/** Reads the sum from what is typed. What is no number yet counts as the least. */
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

/** What somebody gives without a reward; undefined as long as it is not chosen or no sum. */
function amountCentsWithoutReward({
  without_reward,
  chosen_amount,
  amount,
}: PledgeValues): number | undefined {
  if (!without_reward || chosen_amount === '') return undefined;
  return parseCents(chosen_amount === 'custom' ? amount : chosen_amount);
}

/** Whether the backer has said what this is for. */
export function hasChosen(
  { without_reward, chosen_amount }: PledgeValues,
  reward: Reward | undefined,
): boolean {
  return reward !== undefined || (without_reward && chosen_amount !== '');
}

/** Whether it is sent somewhere. The choice of delivery decides, where the reward has one. */
export function needsAddress(values: PledgeValues, reward: Reward): boolean {
  return reward.asks_for_address && !reward.added_costs[addedCostIndex(values, reward)]?.without_address;
}

/** The first is chosen until another is; a shorter list than before begins anew. */
export function addedCostIndex({ added_cost }: PledgeValues, reward: Reward): number {
  return added_cost < reward.added_costs.length ? added_cost : 0;
}

export interface OrderContext {
  campaignId: number;
  reward: Reward | undefined;
  language: Language;
  isSignedIn: boolean;
}

export function orderOf(values: PledgeValues, context: OrderContext): Order {
  const { campaignId, reward } = context;
  const { totalCents, quantity } = sumOf(values, reward);
  return {
    campaignId,
    method: values.method,
    newPledge: {
      amount: fromCents(totalCents),
      reward_id: reward?.reward_id ?? null,
      pledge_meta: metaOf(values, context, quantity),
    },
  };
}

type Meta = NewPledge['pledge_meta'];

function metaOf(values: PledgeValues, { reward, language }: OrderContext, quantity: number): Meta {
  const meta: Meta = {
    email: values.email.trim(),
    first_name: values.first_name.trim(),
    last_name: values.last_name.trim(),
    anonymous: values.anonymous,
    language,
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

export function accountOf(values: PledgeValues, isSignedIn: boolean): Account | undefined {
  if (isSignedIn || values.account === 'none') return undefined;
  const email = values.email.trim();
  const { password } = values;
  if (values.account === 'existing') return { kind: 'existing', email, password };
  const names = { first_name: values.first_name.trim(), last_name: values.last_name.trim() };
  return { kind: 'new', email, password, ...names };
}

/** The server's faults under the names of this form's fields. */
export function asFormErrors(errors: readonly FieldError[], reward: Reward | undefined): FieldError[] {
  return errors.map((error) => ({ ...error, path: formPath(error.path, reward) }));
}

function formPath(path: string, reward: Reward | undefined): string {
  if (path === 'amount' && reward) return 'extra';
  const question = /^pledge_meta\.custom_questions\.(\w+)$/.exec(path)?.[1];
  return question && reward ? questionField(reward.reward_id, question) : path;
}
