import { generatedCheckoutPayments } from './checkoutPayments.generated';

export type * from './checkoutPayments.generated';

/** How a pledge can be paid, and the calls of provider B: only the checkout and the return from a bank load them. */
export const checkoutPayments = generatedCheckoutPayments.enhanceEndpoints({
  endpoints: {
    // Both are a person's, who may have left this page by the next one.
    campaignMethods: { keepUnusedDataFor: 0 },
    bankAccounts: { keepUnusedDataFor: 0 },
  },
});

export const { useBankAccountsQuery, useForgetKeptCardMutation } = checkoutPayments;
