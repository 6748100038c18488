import { ownFailure, statusOfCode, statusOfEnd } from './failures';
import type { FlowEvent, UnpaidPledge } from './machine';
import type { Paid, Ports } from './ports';

/** Asks the server, which asks the provider, so that a payment that was charged is never reported as not charged. */
export async function lookUpPayment(unpaid: UnpaidPledge, ports: Ports): Promise<FlowEvent> {
  const { data, error } = await ports.payment(unpaid.pledgeId);
  if (error) return { type: 'cardRefused', unpaid, failure: { at: 'payment', error } };
  const lookup = lookupOf(data);
  switch (lookup.kind) {
    case 'paid':
      return { type: 'paid', pledgeId: unpaid.pledgeId };
    case 'open':
      return { type: 'cardRefused', unpaid, failure: ownFailure(lookup.status) };
    case 'over':
      ports.submissions.forget();
      return { type: 'failed', failure: ownFailure(lookup.status) };
    default:
      return lookup satisfies never;
  }
}

type PaymentLookup = { kind: 'paid' } | { kind: 'open' | 'over'; status: string };

function lookupOf({ status, failure_code }: Paid): PaymentLookup {
  switch (status) {
    case 'succeeded':
    case 'processing':
    case 'partly_refunded':
    case 'disputed':
      return { kind: 'paid' };
    case 'created':
    case 'requires_action':
      return { kind: 'open', status: statusOfCode(failure_code ?? 'generic') };
    case 'failed':
    case 'canceled':
    case 'refunded':
      return { kind: 'over', status: statusOfEnd(failure_code) };
    default:
      return status satisfies never;
  }
}
