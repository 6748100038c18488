import { generatedSubscriptions } from './subscriptions.generated';

export type * from './subscriptions.generated';

/** What the content service knows of monthly support: who supports what, and the receipts. Only its pages load this. */
export const subscriptions = generatedSubscriptions.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own', 'OwnSubscriptions', 'MoneyCalendar'],
  endpoints: {
    ownSubscriptions: { providesTags: ['Reader', 'Own', 'OwnSubscriptions'], keepUnusedDataFor: 0 },
    subscriptionRecord: { keepUnusedDataFor: 0 },
    moneyCalendar: {
      providesTags: ['Reader', 'Own', 'OwnSubscriptions', 'MoneyCalendar'],
      keepUnusedDataFor: 0,
    },
    renewCalendarFeed: { invalidatesTags: ['MoneyCalendar'] },
    endCalendarFeed: { invalidatesTags: ['MoneyCalendar'] },
    linkedReceipt: { keepUnusedDataFor: 0 },
  },
});

export const {
  useEndCalendarFeedMutation,
  useLinkedReceiptQuery,
  useMoneyCalendarQuery,
  useRenewCalendarFeedMutation,
  useOwnSubscriptionsQuery,
  useSubscriptionRecordQuery,
} = subscriptions;
