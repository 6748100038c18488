import { isApiError } from '../../api/apiError';
import { paymentsApi } from '../../api/payments';
import { subscriptionPayments, type Subscription } from '../../api/subscriptionPayments';
import type { AppDispatch } from '../../api/useAppDispatch';
import { standOf } from '../../domain/payments';

/** How a payment stands, or that nobody has said so. */
export type Stand = ReturnType<typeof standOf> | 'unknown';

const fresh = { forceRefetch: true, subscribe: false };

/** Asks the payment service, which asks the provider. A payment that it does not know was never begun. */
export async function askPayment(dispatch: AppDispatch, id: string, isMonthly: boolean): Promise<Stand> {
  const call = isMonthly
    ? dispatch(
        subscriptionPayments.endpoints.subscriptionPayment.initiate({ subscriptionId: id }, fresh),
      ).then(({ data, error }) => ({ stand: data && firstMonth(data.subscription), error }))
    : dispatch(paymentsApi.endpoints.pledgePayment.initiate({ pledgeId: id }, fresh)).then(
        ({ data, error }) => ({ stand: data && standOf(data.payment.status), error }),
      );
  const { stand, error } = await call;
  if (isApiError(error) && error.status === 'not_found') return 'open';
  return stand ?? 'unknown';
}

/** How the payment that begins monthly support stands. */
function firstMonth({ status, due }: Subscription): Stand {
  switch (status) {
    case 'created':
      return due?.payment ? standOf(due.payment.status) : 'open';
    case 'active':
    case 'past_due':
    case 'paused':
      return 'paid';
    case 'canceled':
    case 'expired':
      return 'over';
    default:
      return status satisfies never;
  }
}
