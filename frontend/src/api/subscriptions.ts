import { languages } from '../domain/languages';
import { keepAnswer, type Started } from './keepAnswer';
import { subscriptionPayments } from './subscriptionPayments';
import {
  generatedSubscriptions,
  type CalendarFeedAnswer,
  type SpendingLimitsAnswer,
} from './subscriptions.generated';

export type * from './subscriptions.generated';

/** A change of a limit answers with the limits as they are now; what waits or is charged may change with them. */
const keepLimits = {
  invalidatesTags: ['OwnSubscriptions' as const],
  onQueryStarted: (_: unknown, call: Started<SpendingLimitsAnswer>) =>
    keepAnswer(call, (limits) => {
      call.dispatch(generatedSubscriptions.util.upsertQueryData('ownSpendingLimits', undefined, limits));
      call.dispatch(subscriptionPayments.util.invalidateTags(['Subscription']));
    }),
};

/** A change of the feed's address shows at once in the calendar that is open, in whatever language. */
const keepFeed =
  <A>(addressOf: (answer: A) => string | undefined) =>
  (_: unknown, call: Started<A>) =>
    keepAnswer(call, (answer) => {
      for (const language of languages)
        call.dispatch(
          generatedSubscriptions.util.updateQueryData('moneyCalendar', { language }, (calendar) => {
            calendar.feed_url = addressOf(answer);
          }),
        );
    });

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
