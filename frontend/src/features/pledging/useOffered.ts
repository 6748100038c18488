import { useCallback, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import {
  checkoutPayments,
  type KeptCard,
  type MethodsAnswer,
  type PaymentMethod,
} from '../../api/checkoutPayments';
import { deviceStorage, tabStorage } from '../../api/deviceStorage';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { retryLater } from '../../ui/loadWithRetry';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import type { Method } from './methods';

/** Whose calls a method is paid by. */
export type Provider = PaymentMethod['provider'];

/** The methods that a campaign takes now, and the cards that the reader has kept there. */
export interface Offered {
  /** known: also while it is asked anew, for another sum. */
  state: 'asking' | 'failed' | 'known';
  methods: readonly PaymentMethod[];
  cards: readonly KeptCard[];
  /** Why there are no methods. */
  reason?: MethodsAnswer['reason'];
  /** Asks again now. */
  ask: () => void;
}

export interface OfferedOptions {
  campaignId: number;
  /** The sum in cents; 0 while none is chosen. */
  cents: number;
  currency: string;
  /** Of monthly support nothing is asked: a saved card pays it. */
  isMonthly: boolean;
  /** The cards that are kept no longer. */
  dropped: readonly string[];
}

/** In milliseconds: a sum that is being typed is not asked about at every digit. */
const pause = 400;

/** Asks how a pledge of a sum can be paid. */
export function useOffered({ campaignId, cents, currency, isMonthly, dropped }: OfferedOptions): Offered {
  const dispatch = useAppDispatch();
  const who = useSelector(selectUser)?.user_id;
  const [amountMinor] = useDebouncedValue(cents, pause);
  const [answer, setAnswer] = useState<{ given: MethodsAnswer; who: number | undefined }>();
  const [failures, setFailures] = useState(0);
  const [asked, setAsked] = useState(0);
  const failed = useRef(0);
  // An account is debited on the way back from its bank's page, where a browser that stores nothing does not know who pays.
  const [returns] = useState(() => tabStorage.lasts() && deviceStorage.lasts());

  const ask = useCallback(() => setAsked((times) => times + 1), []);
  useEffect(() => {
    if (isMonthly) return undefined;
    let isGone = false;
    let next: ReturnType<typeof retryLater> | undefined;
    const arg = { campaignId, currency, ...(amountMinor > 0 && { amountMinor }) };
    void dispatch(
      checkoutPayments.endpoints.campaignMethods.initiate(arg, { forceRefetch: true, subscribe: false }),
    ).then(({ data }) => {
      if (isGone) return;
      failed.current = data ? 0 : failed.current + 1;
      setFailures(failed.current);
      if (data) setAnswer({ given: data, who });
      else next = retryLater(failed.current, ask);
    });
    return () => {
      isGone = true;
      next?.cancel();
    };
  }, [dispatch, campaignId, amountMinor, currency, isMonthly, who, asked, ask]);

  return {
    state: answer ? 'known' : failures > 0 ? 'failed' : 'asking',
    methods: (answer?.given.methods ?? []).filter(({ method }) => returns || method !== 'bank'),
    // Cards are their holder's: those of who was signed in before are not shown.
    cards:
      answer?.who === who
        ? (answer?.given.saved_cards ?? []).filter(({ card_id: id }) => !dropped.includes(id))
        : [],
    reason: answer?.given.reason,
    ask,
  };
}

/** What a campaign takes of a method; undefined when it does not take it. A kept card is paid with as a card. */
export function offeredOf(
  { methods }: Pick<Offered, 'methods'>,
  method: Method | '',
): PaymentMethod | undefined {
  return methods.find((one) => one.method === (method === 'kept' ? 'card' : method));
}
