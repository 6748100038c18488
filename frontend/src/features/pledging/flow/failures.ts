import type { ApiError } from '../../../api/apiError';
import { limitRefusal } from '../../../api/limitRefusal';
import { known, noAnswer, type Refusal } from './answer';
import type { FlowState } from './machine';
import { isResultReason, refusalOf, type ResultReason } from './results';

/** Why a submission stopped: a refusal and the step that failed. */
export interface Failure {
  error: Refusal;
  /** A failed sign-in (account) is shown at the password field. */
  at: 'account' | 'pledge' | 'payment';
}

/** The keys of the error catalogue for refusals of a card. */
export const cardRefusals = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'configuration_error',
  'generic',
] as const;
/** See cardRefusals. */
export type CardRefusal = (typeof cardRefusals)[number];

/**
 * What the app finds out itself. not_charged, still_closing, choose_account and no_account have
 * their texts in the app, not in the catalogue.
 */
export type OwnRefusal =
  | CardRefusal
  | ResultReason
  | 'mandate_not_confirmed'
  | 'choose_account'
  | 'no_account'
  | 'payment_page_failed'
  | 'pledge_not_payable'
  | 'too_many_declines'
  | 'not_charged'
  | 'still_closing';

/** A refusal that the app found without a response, such as a refused card. */
export function ownFailure(status: OwnRefusal, at: Failure['at'] = 'payment'): Failure {
  return { at, error: isResultReason(status) ? refusalOf(status) : known({ status, http: 0 }) };
}

/**
 * Why nothing was charged, once that is known, after an answer was lost: what the service said as it broke down, if it
 * said anything.
 */
export function unchargedFailure(lost: ApiError | undefined): Failure {
  if (!lost || lost.status === noAnswer.status) return ownFailure('not_charged');
  return { at: 'payment', error: known(lost) };
}

/** Why a submission that is at rest has stopped; undefined when it has not. */
export function failureIn(state: FlowState): Failure | undefined {
  return state.name === 'failed' || state.name === 'awaitingCard' ? state.failure : undefined;
}

/** Whether a refusal is a question, which is asked in a place of its own: of the spending limit, or of a second one. */
export function isQuestion(error: Refusal): boolean {
  return limitRefusal(error) !== undefined || error.status === 'made_before';
}

/** Whether the rewards on the page are out of date, so that they have to be refetched. */
export function isAboutReward({ error }: Failure): boolean {
  return ['reward_gone', 'reward_closed', 'quantity_above_stock', 'reward_changed'].includes(error.status);
}

/** Maps a failure code of the payment service to a key of the error catalogue, which has "generic" for the others. */
export function statusOfCode(code: string): OwnRefusal {
  if (code === 'too_many_declines' || isResultReason(code)) return code;
  return cardRefusals.find((one) => one === code) ?? 'generic';
}

/** Maps the failure code of a payment that can no longer be paid to a key of the error catalogue. */
export function statusOfEnd(code: string | undefined): OwnRefusal {
  return code === 'too_many_declines' ? code : 'pledge_not_payable';
}

/** The status that a return from the payment page brought, as a key of the error catalogue. */
export function statusOfReturn(status: string): OwnRefusal {
  if (status === 'pledge_not_payable' || status === 'mandate_not_confirmed') return status;
  return statusOfCode(status);
}
