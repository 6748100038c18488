import { generatedSubscriptionPayments, type SubscriptionAnswer } from './subscriptionPayments.generated';

export type * from './subscriptionPayments.generated';

type Reading = PromiseLike<unknown> & { abort: () => void };

interface Asked {
  dispatch: (action: unknown) => unknown;
  queryFulfilled: Promise<{ data: SubscriptionAnswer }>;
}

/**
 * Every change answers with the subscription as it is now, so that nothing is read again. A reading that began before the
 * answer may have seen what was before the change: it is ended, or it would bring that back.
 */
const keepAnswer = {
  onQueryStarted: async (
    { subscriptionId }: { subscriptionId: string },
    { dispatch, queryFulfilled }: Asked,
  ) => {
    const answer = await queryFulfilled.catch(() => undefined); // The caller shows why there is none.
    if (!answer) return;
    const { util } = generatedSubscriptionPayments;
    const reading = dispatch(util.getRunningQueryThunk('subscription', { subscriptionId })) as
      Reading | undefined;
    reading?.abort();
    await reading;
    void dispatch(util.upsertQueryData('subscription', { subscriptionId }, answer.data));
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
