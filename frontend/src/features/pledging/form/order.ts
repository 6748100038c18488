import type { Reward } from '../../../api/content';
import type { NewPledge } from '../../../api/pledging';
import { fromCents } from '../../../domain/amounts';
import type { Language } from '../../../domain/languages';
import { compactIban } from '../../../domain/iban';
import type { Account, DebitAccount, Means, Purchase } from '../flow/order';
import { addedCostIndex, needsAddress, sumOf } from './sums';
import { answerOf, shownQuestions, type PledgeValues } from './values';

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
  stripe: { card: 'card', kept: 'keptFormCard', page: 'page' },
  mangopay: { card: 'ownCard', kept: 'keptCard', page: 'ownPage' },
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
      return { method: ownWays[provider].kept, cardId: values.kept_card };
    case 'card': {
      return { method: ownWays[provider].card, isKept: isSignedIn && values.remember_card };
    }
    case 'bank':
      return { method: 'bank', account: accountToDebit(values, isSignedIn) };
    case 'page':
      return { method: ownWays[provider].page };
    default:
      return method satisfies never;
  }
}

function accountToDebit(values: PledgeValues, isSignedIn: boolean): DebitAccount | undefined {
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
      ...(isSignedIn && values.remember_account && { keep: true }),
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
