/** The states of a payment, as the payment service names them. */
export type PaymentStatus =
  | 'created'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'refunded'
  | 'partly_refunded'
  | 'disputed';

/** How a payment stands for who pays: charged · the bank still confirms it · it can still be paid · nothing is charged any more. */
export function standOf(status: PaymentStatus): 'paid' | 'settling' | 'open' | 'over' {
  switch (status) {
    case 'succeeded':
    case 'partly_refunded':
    case 'disputed':
      return 'paid';
    case 'processing':
      return 'settling';
    case 'created':
    case 'requires_action':
      return 'open';
    case 'failed':
    case 'canceled':
    case 'refunded':
      return 'over';
    default:
      return status satisfies never;
  }
}
