import type { Reward } from '../../../api/content';
import {
  all,
  confirmed,
  deliveryPostcode,
  email,
  maxLength,
  atMost,
  minLength,
  minValue,
  numeric,
  postcodeOf,
  required,
  type Fault,
  type Rule,
} from '../../../domain/rules';
import { isGone, maxQuantity } from '../../../domain/stock';
import { leastCents, mostCents, sumFault } from '../../../domain/sums';
import { ibanFault } from '../../../domain/iban';
import type { Faults } from '../../../ui/useAppForm';
import { lacksAddedCost, needsAddress } from './sums';
import { answerOf, questionField, shownQuestions, type PledgeValues } from './values';

/** What the rules need to know besides the values. */
export interface RuleContext {
  reward: Reward | undefined;
  isSignedIn: boolean;
  /** The provider has to know more of who pays. */
  needsPayer: boolean;
  /** YYYY-MM-DD. */
  today: string;
  /** Formats an amount in cents. */
  money: (cents: number) => string;
}

/** All validation errors by field. Only visible fields have rules. */
export function pledgeFaults(values: PledgeValues, context: RuleContext): Faults {
  const { reward, isSignedIn } = context;
  const account = isSignedIn ? 'none' : values.account;
  // With an existing account the name is known after the sign-in.
  const name: Rule<string> = account === 'existing' ? maxLength(100) : all(required, maxLength(100));
  return {
    ...(reward
      ? {
          quantity: quantityFault(values.quantity, reward),
          ...(lacksAddedCost(values, reward) && { added_cost: choose }),
          extra: extraFault(values.extra, context.money),
        }
      : amountFaults(values, context)),
    email: all(required, email, maxLength(254))(values.email, values),
    first_name: name(values.first_name, values),
    last_name: name(values.last_name, values),
    ...(account === 'existing' && { password: required(values.password, values) }),
    ...(account === 'new' && {
      password: all(required, minLength(8), maxLength(200))(values.password, values),
      password_again: all(
        required,
        confirmed<PledgeValues>(({ password }) => password),
      )(values.password_again, values),
    }),
    ...(reward && askedFaults(values, reward)),
    ...(context.needsPayer && { birthdate: birthdateFault(values.birthdate, context.today) }),
    ...methodFaults(values),
  };
}

/** Errors in how it is paid. A card's own fields check themselves. */
function methodFaults(values: PledgeValues): Faults {
  const { method, bank_account: account } = values;
  if (method === '') return { method: choose };
  if (method !== 'bank') return {};
  if (account === '') return { bank_account: choose };
  if (account !== 'new') return {};
  const short = all(required, maxLength(255));
  return {
    bank_owner: all(required, maxLength(100))(values.bank_owner, values),
    bank_iban: required(values.bank_iban, values) ?? ibanRule(values.bank_iban),
    bank_street: short(values.bank_street, values),
    bank_postcode: all(required, postcodeOf(values.bank_country))(values.bank_postcode, values),
    bank_city: short(values.bank_city, values),
  };
}

function ibanRule(typed: string): Fault | undefined {
  const key = ibanFault(typed);
  return key && { key };
}

/** The error of a birth date: a whole date before today, and within a long life. */
function birthdateFault(typed: string, today: string): Fault | undefined {
  if (typed === '') return { key: 'required' };
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(Date.parse(typed));
  return isDate && typed < today && typed > '1900' ? undefined : { key: 'birthdate' };
}

/** Errors in what the reward asks for: an address and the creator's questions. */
function askedFaults(values: PledgeValues, reward: Reward): Faults {
  const address = needsAddress(values, reward) && {
    address_street: all(required, maxLength(200))(values.address_street, values),
    address_postcode: deliveryPostcode(values.address_country)(values.address_postcode, values),
    address_city: all(required, maxLength(100))(values.address_city, values),
    address_phone: maxLength(40)(values.address_phone, values),
  };
  const answers = shownQuestions(reward).map(({ key }) => {
    const field = questionField(reward.reward_id, key);
    return [field, all(required, maxLength(1_000))(answerOf(values, reward, key), values)] as const;
  });
  return { ...address, ...Object.fromEntries(answers) };
}

/** The error of a quantity: a whole number, at least 1 and at most what one pledge may take. */
export function quantityFault(typed: string, reward: Reward): Fault | undefined {
  // A sold-out reward is an error of the choice, not of the quantity.
  if (isGone(reward)) return undefined;
  return all<string, unknown>(required, numeric, minValue(1), atMost(maxQuantity(reward)))(typed, undefined);
}

const choose: Fault = { key: 'choose' };

/** Errors in the choice of a reward or of an amount without one. */
function amountFaults({ without_reward, chosen_amount, amount }: PledgeValues, context: RuleContext): Faults {
  if (!without_reward) return { reward: choose };
  if (chosen_amount === '') return { chosen_amount: choose };
  return chosen_amount === 'custom' ? { amount: amountFault(amount, context) } : {};
}

/** The error of a custom amount: it is required and must not be below the provider's minimum. */
function amountFault(typed: string, { money }: Pick<RuleContext, 'money'>): Fault | undefined {
  return required(typed, undefined) ?? sumFault(typed, leastCents, money);
}

/** The error of a whole sum. */
export function totalFault(cents: number, money: RuleContext['money']): Fault | undefined {
  return cents > mostCents ? { key: 'atMost', params: { max: money(mostCents) } } : undefined;
}

function extraFault(typed: string, money: RuleContext['money']): Fault | undefined {
  return typed.trim() === '' ? undefined : sumFault(typed, 0, money);
}
