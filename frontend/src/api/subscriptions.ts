import { languages } from '../domain/languages';
import { subscriptionPayments } from './subscriptionPayments';
import {
  generatedSubscriptions,
  type CalendarFeedAnswer,
  type SpendingLimitsAnswer,
} from './subscriptions.generated';

export type * from './subscriptions.generated';

interface Started<A> {
  dispatch: (action: unknown) => unknown;
  queryFulfilled: Promise<{ data: A }>;
}

/** A change of a limit answers with the limits as they are now; what waits or is charged may change with them. */
const keepLimits = {
  invalidatesTags: ['OwnSubscriptions' as const],
  onQueryStarted: (_: unknown, { dispatch, queryFulfilled }: Started<SpendingLimitsAnswer>) => {
    queryFulfilled.then(
      ({ data }) => {
        dispatch(generatedSubscriptions.util.upsertQueryData('ownSpendingLimits', undefined, data));
        dispatch(subscriptionPayments.util.invalidateTags(['Subscription']));
      },
      () => undefined, // The caller shows it.
    );
  },
};

/** A change of the feed's address shows at once in the calendar that is open, in whatever language. */
const keepFeed =
  <A>(addressOf: (answer: A) => string | undefined) =>
  (_: unknown, { dispatch, queryFulfilled }: Started<A>) => {
    queryFulfilled.then(
      ({ data }) => {
        for (const language of languages)
          dispatch(
            generatedSubscriptions.util.updateQueryData('moneyCalendar', { language }, (calendar) => {
              calendar.feed_url = addressOf(data);
            }),
          );
      },
      () => undefined, // The caller shows it.
    );
  };

/** What the content service knows of monthly support: who supports what, and the receipts. Only its pages load this. */
export const subscriptions = generatedSubscriptions.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own', 'OwnSubscriptions'],
  endpoints: {
    ownSubscriptions: { providesTags: ['Reader', 'Own', 'OwnSubscriptions'], keepUnusedDataFor: 0 },
    subscriptionRecord: { keepUnusedDataFor: 0 },
    moneyCalendar: {
      providesTags: ['Reader', 'Own', 'OwnSubscriptions'],
      keepUnusedDataFor: 0,
    },
    renewCalendarFeed: { onQueryStarted: keepFeed(({ feed_url }: CalendarFeedAnswer) => feed_url) },
    endCalendarFeed: { onQueryStarted: keepFeed(() => undefined) },
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
