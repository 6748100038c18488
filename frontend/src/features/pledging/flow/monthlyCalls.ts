import { keepOrderToken } from '../../../api/orderTokens';
import {
  subscriptionPayments,
  type Subscription as PaidSubscription,
} from '../../../api/subscriptionPayments';
import { subscriptions, type Subscription } from '../../../api/subscriptions';
import type { AppDispatch } from '../../../api/useAppDispatch';
import { standOf } from '../../../domain/payments';
import { visitorId, visitSource } from '../../../api/visitor';
import { isPaid } from '../subscription/facts';
import { ask, known, mapped, type Answer } from './answer';
import type { Made, Paid, PledgeCalls } from './ports';

const content = subscriptions.endpoints;
const payments = subscriptionPayments.endpoints;

/** The calls about monthly support, which tell a subscription's states as a pledge's. */
export function monthlyCalls(dispatch: AppDispatch): PledgeCalls {
  const look = async (subscriptionId: string) => {
    const answer = await ask(
      dispatch(
        payments.subscriptionPayment.initiate({ subscriptionId }, { forceRefetch: true, subscribe: false }),
      ),
    );
    return mapped(answer, ({ subscription }) => paymentOf(subscription));
  };
  return {
    createPledge: async (
      { campaignId, newPledge: { amount, reward_id, once_more, pledge_meta: meta } },
      key,
    ) => {
      const answer = await ask(
        dispatch(
          content.createSubscription.initiate({
            campaignId,
            newSubscription: {
              amount,
              reward_id,
              once_more,
              email: meta.email,
              first_name: meta.first_name,
              last_name: meta.last_name,
              subscription_meta: {
                anonymous: meta.anonymous,
                hide_amount: meta.hide_amount,
                language: meta.language,
                visitor: visitorId(),
                source: visitSource(),
              },
            },
            'Idempotency-Key': key,
          }),
        ),
      );
      return mapped(answer, ({ subscription, order_token: token }) => {
        keepOrderToken(subscription.subscription_id, token);
        return pledgeOf(subscription);
      });
    },
    correct: async (subscriptionId, { newPledge: { pledge_meta: meta } }) => {
      const { email, first_name, last_name, anonymous, hide_amount, language } = meta;
      const answer = await ask(
        dispatch(
          content.changeSubscription.initiate({
            subscriptionId,
            subscriptionChange: {
              email,
              first_name,
              last_name,
              subscription_meta: { anonymous, hide_amount, language },
            },
          }),
        ),
      );
      return mapped(answer, ({ subscription }) => pledgeOf(subscription));
    },
    // A paid one must not end because something was typed anew: ending is the backer's to ask for.
    releasePledge: async (subscriptionId) => {
      const before = await look(subscriptionId);
      if (!before.data) return before;
      const stand = standOf(before.data.status);
      if (stand === 'over') return { data: undefined };
      // It may be paid in another window by now: then the service ends nothing.
      const subscriptionCancel = { at: 'now', only_unpaid: true } as const;
      return (
        taken[stand] ??
        ask(dispatch(payments.cancelSubscription.initiate({ subscriptionId, subscriptionCancel })))
      );
    },
    setUp: async (subscriptionId) => {
      const answer = await ask(dispatch(payments.setupSubscriptionPayment.initiate({ subscriptionId })));
      if (answer.error?.status !== 'subscription_not_payable')
        return mapped(answer, ({ stripe }) => ({ clientSecret: stripe.payment_intent.client_secret }));
      // There is nothing to pay: it was paid, its bank has it, or it is over.
      const now = await look(subscriptionId);
      if (now.lost) return now;
      const end = now.data && taken[standOf(now.data.status)];
      return end ?? { error: known({ ...answer.error, status: 'pledge_not_payable' }) };
    },
    payment: look,
  };
}

/** What is neither given up nor paid once more. */
const taken: Partial<Record<ReturnType<typeof standOf>, Answer<never>>> = {
  paid: { error: known({ status: 'pledge_already_paid', http: 409 }) },
  settling: { error: known({ status: 'pledge_settling', http: 409 }) },
};

function pledgeOf({ subscription_id, status }: Subscription): Made {
  return { pledge_id: subscription_id, status: pledgeStatus(status) };
}

function pledgeStatus(status: Subscription['status']): Made['status'] {
  switch (status) {
    case 'created':
      return 'created';
    case 'active':
    case 'past_due':
    case 'paused':
      return 'paid';
    case 'canceled':
    case 'expired':
      return 'expired';
    default:
      return status satisfies never;
  }
}

/** How the first month's payment stands. One that was paid stays paid when the support has ended since. */
function paymentOf({ status, due, charges }: PaidSubscription): Paid {
  switch (pledgeStatus(status)) {
    case 'paid':
      return { status: 'succeeded' };
    case 'created':
      return due?.payment ?? { status: 'created' };
    default:
      return { status: charges.some(isPaid) ? 'succeeded' : 'canceled' };
  }
}
