import type { ApiError } from '../../../api/apiError';
import payinResults from '../../../domain/payinResults.generated.json';
import { known, type Refusal } from './answer';

/** Why provider B did not take a payment or a card, as keys of the error catalogue, which has generic for the others. */
export const resultReasons = [
  'card_expired',
  'card_not_active',
  'this_card_is_not_active',
  'bank_technical_error',
  'psp_technical_error',
  'psp_configuration_error',
  'fraud_suspected_by_the_bank',
  'security_violation',
  'debit_limit_exceeded',
  'maximum_number_of_attempts_reached',
  'card_limit_reached',
  'transaction_refused_by_bank',
  'transaction_refused_by_the_terminal',
  'amount_limit',
  'do_not_honor',
  'invalid_pin_code',
  'invalid_card_number',
  'invalid_transaction_amount',
  'card_number_format_error',
  'card_date_format_error',
  'card_cvv_format_error',
] as const;
/** See resultReasons. */
export type ResultReason = (typeof resultReasons)[number];

/** What a result code of provider B means. */
export interface Result {
  reason: ResultReason | 'generic';
  /** The card is not good for another try: it is typed, or chosen, anew. */
  clearsCard: boolean;
}

interface Listed {
  code: ResultReason;
  clears_card: boolean;
}

const results = payinResults as Readonly<Record<string, Listed | undefined>>;

/** The meaning of a result code; generic for one that is not known, or for none. */
export function resultOf(code: string | undefined): Result {
  const listed = code === undefined ? undefined : results[code];
  return listed
    ? { reason: listed.code, clearsCard: listed.clears_card }
    : { reason: 'generic', clearsCard: false };
}

/** Whether a code of a payment is one of provider B's reasons. */
export function isResultReason(code: string): code is ResultReason {
  return resultReasons.some((one) => one === code);
}

/** A reason of provider B's as an error: the catalogue has the texts of its codes. */
export function refusalOf(reason: ResultReason): Refusal {
  const error: ApiError = { status: 'payin_failed', code: reason, http: 0 };
  return known(error);
}

/** The code of success. */
export const succeeded = '000000';
