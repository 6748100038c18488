import { useRef, useState } from 'react';
import type { ApiError } from '../../api/apiError';
import { contentOf, type Account, type Order } from './flow/order';
import type { Flow } from './useFlow';

/** An order of which the same has been made before. */
export interface Repeated {
  order: Order;
  /** When the first one was paid or begun, in milliseconds since 1970. */
  at: number;
  /** Paid from this browser, or, as the server knows, by the same account elsewhere: paid, or only begun. */
  where: 'here' | 'elsewhere' | 'begun';
}

/**
 * Pays, and asks first when this browser has paid for the same, or the server says that the account has made the same a
 * moment ago. What was answered is not asked again.
 */
export function useOnce({ pay, submissions, state, report }: Flow) {
  const [asked, setAsked] = useState<{ repeated: Repeated; account: Account | undefined }>();
  const [sent, setSent] = useState<Order>();
  const confirmed = useRef<string>(undefined);
  const send = (order: Order, account?: Account) => {
    setSent(order);
    const isConfirmed = confirmed.current === contentOf(order);
    const newPledge = { ...order.newPledge, once_more: true };
    pay(isConfirmed ? { ...order, newPledge } : order, account);
  };
  const refused = state.name === 'failed' && sent ? madeBefore(state.failure.error, sent) : undefined;
  const repeated = asked?.repeated ?? refused;
  return {
    asked: repeated,
    pay: (order: Order, account: Account | undefined) => {
      const content = contentOf(order);
      const at = submissions.paidAt(content);
      if (at === undefined || confirmed.current === content) send(order, account);
      else setAsked({ repeated: { order, at, where: 'here' }, account });
    },
    confirm: () => {
      if (!repeated) return;
      confirmed.current = contentOf(repeated.order);
      setAsked(undefined);
      // Whom the server knows is signed in by now.
      send(repeated.order, asked?.account);
    },
    cancel: () => {
      setAsked(undefined);
      if (refused) report({ type: 'formRefused' });
    },
  };
}

/** What the server says of the first one; undefined for any other refusal. */
function madeBefore({ status, params }: ApiError, order: Order): Repeated | undefined {
  if (status !== 'made_before') return undefined;
  const at = typeof params?.at === 'string' ? Date.parse(params.at) : NaN;
  return { order, at, where: params?.paid === true ? 'elsewhere' : 'begun' };
}
