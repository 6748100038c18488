import { generatedPayments, type PledgePaymentPageApiResponse } from './payments.generated';

export type * from './payments.generated';

/** The payment service's calls; the status of a payment is never taken from the cache. */
export const paymentsApi = generatedPayments.enhanceEndpoints({
  endpoints: {
    pledgePayment: { keepUnusedDataFor: 0 },
  },
});

/** A hosted page's address, or how long to wait before asking again, in milliseconds. */
export type HostedPage = { url: string } | { retryAfter: number };

export function hostedPage(answer: PledgePaymentPageApiResponse): HostedPage {
  return 'status' in answer ? { retryAfter: answer.retry_after * 1_000 } : { url: answer.paymentPageUrl };
}
