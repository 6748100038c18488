import { isApiError } from '../../../api/apiError';
import type { Subscription as Paying, SubscriptionCharge } from '../../../api/subscriptionPayments';
import type { Subscription as SubscriptionRecord } from '../../../api/subscriptions';

/** Whether a subscription goes on: it has begun and has not ended. */
export function goesOn({ status }: Pick<Paying, 'status'>): boolean {
  return status === 'active' || status === 'past_due' || status === 'paused';
}

/** Whether a month was paid, and not all of it has come back. */
export function isPaid({ status }: SubscriptionCharge): boolean {
  return status === 'paid' || status === 'partly_refunded' || status === 'disputed';
}

/** Whether the payment service knows nothing of a support: the answer to asking it about one that it refused to begin. */
export function hasNotBegun({ status }: SubscriptionRecord, error: unknown): boolean {
  return isApiError(error) && error.http === 404 && (status === 'created' || status === 'expired');
}
