import type { ApiError } from '../../../api/apiError';
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

const kept = (reason: ResultReason): Result => ({ reason, clearsCard: false });
const cleared = (reason: ResultReason): Result => ({ reason, clearsCard: true });

const results: Readonly<Record<string, Result | undefined>> = {
  '001013': cleared('invalid_transaction_amount'),
  '008005': cleared('security_violation'),
  '008006': cleared('fraud_suspected_by_the_bank'),
  '009103': cleared('psp_configuration_error'),
  '009199': cleared('psp_technical_error'),
  '009499': cleared('bank_technical_error'),
  '01902': kept('this_card_is_not_active'),
  '02624': kept('card_expired'),
  '101101': cleared('do_not_honor'),
  '101102': cleared('amount_limit'),
  '101103': cleared('transaction_refused_by_the_terminal'),
  '101104': cleared('card_limit_reached'),
  '101105': cleared('card_expired'),
  '101111': cleared('maximum_number_of_attempts_reached'),
  '101115': cleared('debit_limit_exceeded'),
  '101199': cleared('transaction_refused_by_bank'),
  '101410': kept('card_not_active'),
  '105101': cleared('invalid_card_number'),
  '105103': cleared('invalid_pin_code'),
  '105202': kept('card_number_format_error'),
  '105203': kept('card_date_format_error'),
  '105204': kept('card_cvv_format_error'),
};

/** The meaning of a result code; generic for one that is not known, or for none. */
export function resultOf(code: string | undefined): Result {
  return (code === undefined ? undefined : results[code]) ?? { reason: 'generic', clearsCard: false };
}

/** Whether a code of a payment is one of provider B's reasons. */
export function isResultReason(code: string): code is ResultReason {
  return resultReasons.some((one) => one === code);
}

/** A reason of provider B's as an error: the catalogue has the texts of its codes. */
export function refusalOf(reason: ResultReason): Refusal {
  const error: ApiError = { status: 'payment_failed', code: reason, http: 0 };
  return known(error);
}

/** The code of success. */
export const succeeded = '000000';
