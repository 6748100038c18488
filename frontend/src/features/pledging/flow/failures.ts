import type { ApiError } from '../../../api/apiError';

/** Why a submission stopped: an error and the step that failed. */
export interface Failure {
  error: ApiError;
  /** A failed sign-in (account) is shown at the password field. */
  at: 'account' | 'pledge' | 'payment';
}

/**
 * A failure that the app found without a response, such as a refused card. `status` is a key of the error catalogue.
 */
export function ownFailure(status: string, at: Failure['at'] = 'payment'): Failure {
  return { at, error: { status, http: 0 } };
}

/** The earlier payment was not closed in time. This status is the app's own: its text is not in the error catalogue. */
export const stillClosing = 'still_closing';

/** Whether the rewards on the page are out of date, so that they have to be refetched. */
export function isAboutReward({ error }: Failure): boolean {
  return ['reward_gone', 'reward_closed', 'quantity_above_stock', 'reward_changed'].includes(error.status);
}

/** The failure codes with their own text in the error catalogue; for the others it has "generic". */
const codesWithText = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'too_many_declines',
];

/** Maps a failure code of the payment service to a key of the error catalogue. */
export function statusOfCode(code: string): string {
  return codesWithText.includes(code) ? code : 'generic';
}

/** Maps the failure code of a payment that can no longer be paid to a key of the error catalogue. */
export function statusOfEnd(code: string | undefined): string {
  return code === 'too_many_declines' ? code : 'pledge_not_payable';
}
