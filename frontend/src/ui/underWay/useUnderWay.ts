import { useCallback, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { readNow } from '../../api/extra';
import { selectUser } from '../../api/session';
import { paymentUnderWay, type UnderWay } from '../../api/underWay';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useAskingAgain } from '../useAskingAgain';

/** A payment of which no answer was seen in this browser. */
export interface Unseen extends UnderWay {
  /** It is known by now: the payment went through. */
  isPaid: boolean;
}

/** How long a payment may still come through, in milliseconds: until then an open one is not one that was not charged. */
const settles = 4_000;

/**
 * The payment to a campaign of which this browser has seen no answer, while it is not known what came of it, or when it
 * went through; it is asked about until it is known. undefined when there is none, or when nothing was charged: then the
 * checkout goes on.
 */
export function useUnderWay(campaignId: number, isMonthly: boolean): Unseen | undefined {
  const dispatch = useAppDispatch();
  const userId = useSelector(selectUser)?.user_id;
  const [found, setFound] = useState<Unseen & { userId: number | undefined }>();
  const latest = useRef(0);
  const ask = useCallback(async () => {
    const turn = (latest.current += 1);
    const now = () => dispatch(readNow());
    const payment = paymentUnderWay(campaignId, userId, now);
    const look = (id: string) =>
      // Few visits need its code.
      import(/* webpackChunkName: "ask-payment" */ './askPayment').then(
        ({ askPayment }) => askPayment(dispatch, id, isMonthly),
        () => 'unknown' as const,
      );
    let stand = payment && (await look(payment.pledgeId));
    const wait = payment && stand === 'open' ? payment.at + settles - now() : 0;
    if (payment && wait > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      stand = await look(payment.pledgeId);
    }
    if (turn !== latest.current) return;
    const isPaid = stand === 'paid' || stand === 'settling';
    setFound(payment && (isPaid || stand === 'unknown') ? { ...payment, isPaid, userId } : undefined);
  }, [campaignId, dispatch, isMonthly, userId]);

  useEffect(() => {
    void ask();
  }, [ask]);
  useAskingAgain(found !== undefined && !found.isPaid, ask, found?.at);
  return found?.userId === userId ? found : undefined;
}
