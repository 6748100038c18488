import type { Made } from './ports';

/** Whether a pledge can no longer be paid. */
export function isOver({ status }: Made): boolean {
  return status === 'expired' || status === 'failed' || status === 'refunded' || status === 'withdrawn';
}

/** Whether a pledge is paid, or a bank has its payment. */
export function isPaid({ status }: Made): boolean {
  switch (status) {
    case 'paid':
    case 'processing':
    case 'partly_refunded':
    case 'disputed':
      return true;
    case 'created':
    case 'awaiting_payment':
    case 'expired':
    case 'failed':
    case 'refunded':
    case 'withdrawn':
      return false;
    default:
      return status satisfies never;
  }
}
