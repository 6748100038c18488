import type { Payment } from '../../../api/payments';
import { statusOfCode, statusOfEnd } from '../flow/failures';

/** What a payment's state means for somebody who comes back from a payment page. */
export type ReturnState =
  | { kind: 'waiting' }
  | { kind: 'thanks' }
  | { kind: 'moneyBack' }
  /** `status` is a key of the error catalogue, or 'canceled'. */
  | { kind: 'notPaid'; status: string };

/** Only the server's word counts; what the address says of the outcome is not looked at. */
export function returnStateOf({ status, failure_code }: Payment, wasCanceled: boolean): ReturnState {
  switch (status) {
    case 'succeeded':
    case 'processing':
    case 'partly_refunded':
    case 'disputed':
      return { kind: 'thanks' };
    case 'refunded':
      return { kind: 'moneyBack' };
    case 'failed':
      return { kind: 'notPaid', status: statusOfCode(failure_code ?? 'generic') };
    case 'canceled':
      return { kind: 'notPaid', status: statusOfEnd(failure_code) };
    case 'created':
    case 'requires_action':
      if (wasCanceled) return { kind: 'notPaid', status: 'canceled' };
      return failure_code ? { kind: 'notPaid', status: statusOfCode(failure_code) } : { kind: 'waiting' };
    default:
      return status satisfies never;
  }
}
