import { generatedSubscriptionPayments, type SubscriptionAnswer } from './subscriptionPayments.generated';

export type * from './subscriptionPayments.generated';

interface Asked {
  dispatch: (action: unknown) => unknown;
  queryFulfilled: Promise<{ data: SubscriptionAnswer }>;
}

/** Every change answers with the subscription as it is now, so that nothing is read again. */
const keepAnswer = {
  onQueryStarted: ({ subscriptionId }: { subscriptionId: string }, { dispatch, queryFulfilled }: Asked) => {
    queryFulfilled.then(
      ({ data }) =>
        void dispatch(
          generatedSubscriptionPayments.util.upsertQueryData('subscription', { subscriptionId }, data),
        ),
      () => undefined, // The caller shows it.
    );
  },
};

/** How a subscription is paid, from the payment service: its state is never cached between visits. */
export const subscriptionPayments = generatedSubscriptionPayments.enhanceEndpoints({
  addTagTypes: ['Subscription'],
  endpoints: {
    subscription: { providesTags: ['Subscription'], keepUnusedDataFor: 0 },
    subscriptionPayment: { keepUnusedDataFor: 0, ...keepAnswer },
    cancelSubscription: keepAnswer,
    modifySubscriptionLevel: keepAnswer,
    skipSubscriptionMonth: keepAnswer,
    pauseSubscription: keepAnswer,
    resumeSubscription: keepAnswer,
    setSubscriptionNotices: keepAnswer,
    changeSubscriptionCard: keepAnswer,
    lookAtSubscriptionLink: { keepUnusedDataFor: 0 },
    followSubscriptionLink: {
      onQueryStarted: ({ linkUse: { token } }, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) =>
            void dispatch(
              generatedSubscriptionPayments.util.upsertQueryData(
                'lookAtSubscriptionLink',
                { linkToken: { token } },
                data,
              ),
            ),
          () => undefined, // The caller shows it.
        );
      },
    },
  },
});

export const { useLookAtSubscriptionLinkQuery, useSubscriptionQuery } = subscriptionPayments;
