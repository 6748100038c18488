import type { Pledge } from '../../../api/content';
import type { Payment } from '../../../api/payments';
import { returnStateOf } from '../returning/returnState';

/** What the thanks page tells of a pledge. An unpaid one can still be paid, one that is not paid is over. */
export type ThanksState = 'paid' | 'settling' | 'unpaid' | 'refunded' | 'notPaid';

/** The pledge waits for money, and only the payment knows whether any is on its way. */
function isOpen({ status }: Pledge): boolean {
  return status === 'created' || status === 'awaiting_payment';
}

function isOver({ status }: Pledge): boolean {
  return status === 'expired' || status === 'failed';
}

/**
 * Whether the pledge alone does not tell. Somebody may open the page before having paid; and money that was sent may
 * arrive for a pledge that has lapsed or was given up, and comes or goes back a little later.
 */
export function needsPayment(pledge: Pledge, isSent: boolean): boolean {
  return isSent ? isOver(pledge) : isOpen(pledge);
}

/** `payment` is left out when it is known to be on its way; null means that none was begun. */
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
      return 'refunded';
    case 'failed':
    case 'expired':
      return payment && isUnderWay(payment) ? 'settling' : 'notPaid';
    default:
      return status satisfies never;
  }
}

/** The money was taken. If it is refunded, the pledge's own status will say so. */
function isUnderWay(payment: Payment | null): boolean {
  const kind = payment && returnStateOf(payment, false).kind;
  return kind === 'thanks' || kind === 'moneyBack';
}

/** What people call it: the part before the dash, "Höyry" of "Höyry – kylän yhteinen saunalautta". */
export function shortTitle(title: string): string {
  return title.split(/\s[–—]\s|:\s/, 1)[0] ?? title;
}
