import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import type { PublicConfig } from './pageData';
import { generatedPayments, type PledgePaymentPageApiResponse } from './payments.generated';

/** The payment service's calls; the payment of a pledge is always asked anew. */
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

/** What anyone may know of the platform's settings. */
export const readConfig =
  (): ThunkAction<PublicConfig, unknown, ApiExtra, UnknownAction> =>
  (_dispatch, _getState, { page }) =>
    page.config;
