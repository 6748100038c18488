import { generatedPayments, type PledgePaymentPageApiResponse } from './payments.generated';

export type * from './payments.generated';

/** The payment service's API. The status of a payment is never cached. */
export const paymentsApi = generatedPayments.enhanceEndpoints({
  endpoints: {
    pledgePayment: { keepUnusedDataFor: 0 },
  },
});

/** The address of the provider's hosted payment page, or the pause before the next request for it, in milliseconds. */
export type HostedPage = { url: string } | { retryAfter: number };

/** Converts the service's response, whose retry_after is in seconds. */
export function hostedPage(answer: PledgePaymentPageApiResponse): HostedPage {
  return 'status' in answer ? { retryAfter: answer.retry_after * 1_000 } : { url: answer.paymentPageUrl };
}
