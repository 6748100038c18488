import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import {
  subscriptionPayments,
  type Subscription,
  type SubscriptionAnswer,
} from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useChange } from '../../../ui/limit/useChange';
import { useNotify } from '../../../ui/notify';
import { isOnItsWay } from '../../../ui/own/paying';
import { slowAfterPolls, usePolling } from '../../../ui/usePolling';
import type { Answer } from '../flow/answer';
import { unchargedFailure } from '../flow/failures';
import { underWay } from '../flow/lookUp';
import type { CardEnd, CardResult } from './useCardRun';

const calls = subscriptionPayments.endpoints;

/** A month that was charged in its form. */
export interface Charge {
  period: number;
  /** As it is shown. */
  amount: string;
  /** The person's other support that its card is wanted for as well. */
  also: string[];
}

/** Finishes a month's form, see useCardRun. */
export type FinishCharge = (result: CardResult, charge: Charge, lost?: ApiError) => Promise<CardEnd>;

/**
 * Follows a month that was charged here until the service says that it is paid: only then is it said, and its card given
 * to the other support. isWaiting: something is on its way, so that nothing may be paid again. isConfirming: it was
 * confirmed here, or the bank is known to have it; else a charge of the service's own may not even have been made yet.
 * `look` asks how it stands.
 */
export function useCharge(
  subscriptionId: string,
  subscription: Subscription | undefined,
  look: () => Promise<Answer<SubscriptionAnswer>>,
): { isWaiting: boolean; isConfirming: boolean; finish: FinishCharge } {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const { make } = useChange();
  // The service may hear of it later than this page: so many looks may still say that it is to be paid.
  const [waiting, setWaiting] = useState<Charge & { looks: number }>();
  const isWaiting = waiting !== undefined || (subscription !== undefined && isOnItsWay(subscription));
  const isConfirming = waiting !== undefined || subscription?.due?.payment?.status === 'processing';

  const sayPaid = async ({ amount, also }: Charge) => {
    setWaiting(undefined);
    notify({
      tone: 'success',
      title: t('subscription.due.paid', { amount }),
      isAboutMoney: true,
      topic: 'subscription',
    });
    if (also.length === 0) return;
    const call = calls.changeSubscriptionCard.initiate({ subscriptionId, cardChange: { also } });
    await make(() => dispatch(call), t('subscription.card.allSaved', { amount }));
  };
  usePolling(isWaiting, () => void lookAgain());
  // A slow look is not overtaken: both would find the month paid.
  const isLooking = useRef(false);
  const lookAgain = async () => {
    if (isLooking.current) return;
    isLooking.current = true;
    const { data } = await look();
    isLooking.current = false;
    if (!data || !waiting) return;
    if (isPaid(data.subscription, waiting)) await sayPaid(waiting);
    else if (isOnItsWay(data.subscription)) setWaiting({ ...waiting, looks: 1 });
    else setWaiting(waiting.looks > 1 ? { ...waiting, looks: waiting.looks - 1 } : undefined);
  };
  const finish: FinishCharge = async (result, charge, lost) => {
    const find = async (): Promise<CardEnd | 'open'> => {
      const { data } = await look();
      if (data && isPaid(data.subscription, charge)) await sayPaid(charge);
      else if (result === 'done' || (data && isOnItsWay(data.subscription)))
        setWaiting({ ...charge, looks: slowAfterPolls });
      else return data ? 'open' : { kind: 'unknown' };
      return { kind: 'done' };
    };
    let found = await find();
    if (found === 'open' && !lost) {
      // What the provider was asked for may still come through.
      await new Promise((resolve) => setTimeout(resolve, underWay));
      found = await find();
    }
    return found === 'open' ? { kind: 'refused', error: unchargedFailure(lost).error } : found;
  };
  return { isWaiting, isConfirming, finish };
}

function isPaid({ charges }: Subscription, { period }: Charge): boolean {
  return charges.some((one) => one.period === period && one.status === 'paid');
}
