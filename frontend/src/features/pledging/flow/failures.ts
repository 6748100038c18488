import type { ApiError } from '../../../api/apiError';

/** Why a submission stopped: an error of the catalogue, and where it belongs. */
export interface Failure {
  error: ApiError;
  /** The step that failed; a sign-in's failure is shown at the password. */
  at: 'account' | 'pledge' | 'payment';
}

/** A failure that the app itself found: card results have texts of their own in the catalogue. */
export function ownFailure(status: string, at: Failure['at'] = 'payment'): Failure {
  return { at, error: { status, http: 0 } };
}

/** An earlier payment was not closed in time, so nothing new was begun. The page has the text, not the catalogue. */
export const stillClosing = 'still_closing';

/** What the rewards on the page no longer say: they are asked again. */
export function isAboutStock({ error }: Failure): boolean {
  return ['reward_gone', 'reward_closed', 'quantity_above_stock'].includes(error.status);
}

/** The codes of a refused payment that have a text of their own; everything else is told as generic. */
const codesWithText = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'authentication_failed',
  'too_many_declines',
];

/** The catalogue's status for a failure code of the payment service. */
export function statusOfCode(code: string): string {
  return codesWithText.includes(code) ? code : 'generic';
}

/** The catalogue's status for a payment that nobody can pay any more. */
export function statusOfEnd(code: string | undefined): string {
  return code === 'too_many_declines' ? code : 'pledge_not_payable';
}
