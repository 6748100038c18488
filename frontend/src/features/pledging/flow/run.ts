import type { ApiError } from '../../../api/apiError';
import type { Doubt } from './lookUp';
import type { FlowEvent } from './machine';
import type { Order } from './order';
import type { Ports } from './ports';

/** The context of a submission, passed to all its steps. */
export interface Run {
  order: Order;
  ports: Ports;
  /** Sends an event to the state machine before each step. The last event is returned by the steps instead. */
  report: (event: FlowEvent) => void;
  /** Whether the pledge still waits for a sign-in: the page may have been left, or the sign-in refused. */
  isWaiting: () => boolean;
}

/** Nobody answered whether the pledge was made. */
export function pledgeDoubt(run: Run, lost: ApiError): Doubt {
  const { campaignId, newPledge } = run.order;
  return { about: 'pledge', order: { campaignId, newPledge }, amount: newPledge.amount, lost };
}

type PaymentDoubt = Extract<Doubt, { about: 'payment' }>;

/** Nobody answered whether the payment of a pledge was made. */
export function paymentDoubt(
  run: Run,
  lost: ApiError | undefined,
  about: Pick<PaymentDoubt, 'pledgeId' | 'unpaid' | 'isEarlier'> & { since?: number },
): PaymentDoubt {
  return { since: 0, ...about, about: 'payment', amount: run.order.newPledge.amount, lost };
}
