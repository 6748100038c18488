import { subscriptionPayments } from './subscriptionPayments';
import { generatedSubscriptions, type SpendingLimitsAnswer } from './subscriptions.generated';

export type * from './subscriptions.generated';

interface Asked {
  dispatch: (action: unknown) => unknown;
  queryFulfilled: Promise<{ data: SpendingLimitsAnswer }>;
}

/** A change of a limit answers with the limits as they are now; what waits or is charged may change with them. */
const keepLimits = {
  invalidatesTags: ['OwnSubscriptions' as const],
  onQueryStarted: (_: unknown, { dispatch, queryFulfilled }: Asked) => {
    queryFulfilled.then(
      ({ data }) => {
        dispatch(generatedSubscriptions.util.upsertQueryData('ownSpendingLimits', undefined, data));
        dispatch(subscriptionPayments.util.invalidateTags(['Subscription']));
      },
      () => undefined, // The caller shows it.
    );
  },
};

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
    ownSpendingLimits: { providesTags: ['Reader', 'Own'], keepUnusedDataFor: 0 },
    setOwnSpendingLimit: keepLimits,
    endOwnSpendingLimit: keepLimits,
    linkedReceipt: { keepUnusedDataFor: 0 },
  },
});

export const {
  useEndCalendarFeedMutation,
  useEndOwnSpendingLimitMutation,
  useLinkedReceiptQuery,
  useMoneyCalendarQuery,
  useOwnSpendingLimitsQuery,
  useRenewCalendarFeedMutation,
  useSetOwnSpendingLimitMutation,
  useOwnSubscriptionsQuery,
  useSubscriptionRecordQuery,
} = subscriptions;
