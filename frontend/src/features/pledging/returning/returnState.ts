import type { Payment } from '../../../api/payments';
import { statusOfCode, statusOfEnd } from '../flow/failures';

/** Where a payment's status leads someone who returns from the payment page. */
export type ReturnState =
  | { kind: 'waiting' }
  | { kind: 'thanks' }
  | { kind: 'moneyBack' }
  /** `status` is a key of the error catalogue, or 'canceled'. */
  | { kind: 'notPaid'; status: string };

/** Decided by the server's status; the provider's parameters in the address are ignored. */
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
