import type { Pledge } from '../../../api/pledging';
import type { Payment } from '../../../api/payments';
import { returnStateOf } from '../returning/returnState';

/** How the thanks page shows a pledge. unpaid: it can still be paid · notPaid: it can no longer be paid. */
export type ThanksState = 'paid' | 'settling' | 'unpaid' | 'refunded' | 'notPaid';

/** The pledge waits for its payment. Only the payment's status tells whether one is being processed. */
function isOpen({ status }: Pledge): boolean {
  return status === 'created' || status === 'awaiting_payment';
}

function isOver({ status }: Pledge): boolean {
  return status === 'expired' || status === 'failed';
}

/**
 * Whether the payment's status is needed besides the pledge's. An open pledge may be unpaid, unless the provider has
 * confirmed the payment (`isSent`). And a confirmed payment may belong to an expired pledge, and is then refunded.
 */
export function needsPayment(pledge: Pledge, isSent: boolean): boolean {
  return isSent ? isOver(pledge) : isOpen(pledge);
}

/** `payment`: undefined if the pledge's status is enough (needsPayment), null if there is none. */
export function thanksState({ status }: Pledge, payment?: Payment | null): ThanksState {
  switch (status) {
    case 'paid':
    case 'partly_refunded':
    case 'disputed':
      return 'paid';
    case 'created':
    case 'awaiting_payment':
      return payment === undefined || isUnderWay(payment) ? 'settling' : 'unpaid';
    case 'processing':
      return 'settling';
    case 'refunded':
    case 'withdrawn':
      return 'refunded';
    case 'failed':
    case 'expired':
      return payment && isUnderWay(payment) ? 'settling' : 'notPaid';
    default:
      return status satisfies never;
  }
}

/** The money was taken. If it is refunded, the pledge's status will change to refunded. */
function isUnderWay(payment: Payment | null): boolean {
  const kind = payment && returnStateOf(payment, false).kind;
  return kind === 'thanks' || kind === 'moneyBack';
}

/** The part of a title before a dash or colon: "Höyry" of "Höyry – kylän yhteinen saunalautta". */
export function shortTitle(title: string): string {
  return title.split(/\s[–—]\s|:\s/, 1)[0] ?? title;
}
