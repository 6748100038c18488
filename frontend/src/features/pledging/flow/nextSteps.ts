import type { ApiError } from '../../../api/apiError';
import type { OwnRefusal } from './failures';
import { isResultReason } from './results';
import type { Method } from '../methods';

/** The refusals that the services give to a submission, besides what the app finds out itself. */
type ServiceRefusal =
  | 'provider_unavailable'
  | 'payment_failed'
  | 'payment_method_unsupported'
  | 'payment_open_at_bank'
  | 'reward_gone'
  | 'reward_closed'
  | 'reward_changed'
  | 'quantity_above_stock'
  | 'too_many_held'
  | 'made_before';

/** All refusals of paying that have a step of their own. */
export type PayingRefusal = OwnRefusal | ServiceRefusal;

/**
 * What helps after a refusal. `says`: a sentence after the reason, unless that says it already (pledge.next). `focus`: the
 * control where it is done. `label`: the act on the pay button, when it is not simply paying. `method`: the other way to
 * pay, offered beside it. `ways`: several help, and the same press does not; they stand in place of the pay button (NoFunds).
 */
export interface NextStep {
  says?: 'checkCvc' | 'checkExpiry' | 'otherCard';
  focus?: 'card' | 'quantity' | 'reward' | 'method';
  label?: 'confirmAgain';
  method?: Method;
  ways?: true;
}

const otherCard: NextStep = { says: 'otherCard' };
/** The reason itself says what to do, or only that it can be tried again: the pay button does that. */
const payAgain: NextStep = {};

/** The one next step of each refusal. */
export const nextSteps: Readonly<Record<PayingRefusal, NextStep>> = {
  incorrect_cvc: { says: 'checkCvc', focus: 'card' },
  expired_card: { says: 'checkExpiry', focus: 'card' },
  card_declined: otherCard,
  insufficient_funds: { ways: true },
  authentication_failed: { label: 'confirmAgain' },
  generic: payAgain,
  payment_failed: payAgain,
  not_charged: payAgain,
  still_closing: payAgain,
  too_many_declines: payAgain,
  pledge_not_payable: payAgain,
  payment_open_at_bank: payAgain,
  provider_unavailable: payAgain,
  too_many_held: payAgain,
  made_before: payAgain,
  reward_changed: payAgain,
  card_expired: { says: 'checkExpiry' },
  card_not_active: otherCard,
  this_card_is_not_active: otherCard,
  bank_technical_error: payAgain,
  psp_technical_error: payAgain,
  psp_configuration_error: { method: 'page' },
  fraud_suspected_by_the_bank: otherCard,
  security_violation: otherCard,
  debit_limit_exceeded: otherCard,
  maximum_number_of_attempts_reached: otherCard,
  card_limit_reached: otherCard,
  transaction_refused_by_bank: otherCard,
  transaction_refused_by_the_terminal: otherCard,
  amount_limit: otherCard,
  do_not_honor: otherCard,
  invalid_pin_code: otherCard,
  invalid_card_number: otherCard,
  invalid_transaction_amount: payAgain,
  card_number_format_error: payAgain,
  card_date_format_error: payAgain,
  card_cvv_format_error: payAgain,
  mandate_not_confirmed: payAgain,
  choose_account: { focus: 'method' },
  no_account: { focus: 'method' },
  configuration_error: { method: 'page' },
  payment_method_unsupported: { method: 'page' },
  payment_page_failed: { method: 'card' },
  quantity_above_stock: { focus: 'quantity' },
  reward_gone: { focus: 'reward' },
  reward_closed: { focus: 'reward' },
};

/** The next step of a refusal; of one that is not about paying, such as a wrong password, what it says is all. */
export function nextStepOf(error: Pick<ApiError, 'status' | 'code'> | undefined): NextStep {
  // A code of provider B's says more than its status.
  const name = error?.code !== undefined && isResultReason(error.code) ? error.code : (error?.status ?? '');
  return Object.hasOwn(nextSteps, name) ? nextSteps[name as PayingRefusal] : payAgain;
}
