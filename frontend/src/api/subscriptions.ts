import { generatedSubscriptions } from './subscriptions.generated';

export type * from './subscriptions.generated';

/** What the content service knows of monthly support: who supports what, and the receipts. Only its pages load this. */
export const subscriptions = generatedSubscriptions.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own', 'OwnSubscriptions'],
  endpoints: {
    ownSubscriptions: { providesTags: ['Reader', 'Own', 'OwnSubscriptions'], keepUnusedDataFor: 0 },
    subscriptionRecord: { keepUnusedDataFor: 0 },
    linkedReceipt: { keepUnusedDataFor: 0 },
  },
});

export const { useLinkedReceiptQuery, useOwnSubscriptionsQuery, useSubscriptionRecordQuery } = subscriptions;
