import { useRef, useState } from 'react';
import { contentOf, type Account, type Order } from './flow/order';
import type { Flow } from './useFlow';

/** An order of which this browser has paid for the same before. */
export interface Repeated {
  order: Order;
  account: Account | undefined;
  /** When it was paid, in milliseconds since 1970. */
  at: number;
}

/** Pays, and asks first when this browser has paid for the same. What was answered is not asked again. */
export function useOnce({ pay, submissions }: Flow) {
  const [asked, setAsked] = useState<Repeated>();
  const confirmed = useRef<string>(undefined);
  return {
    asked,
    pay: (order: Order, account: Account | undefined) => {
      const content = contentOf(order);
      const at = submissions.paidAt(content);
      if (at === undefined || confirmed.current === content) pay(order, account);
      else setAsked({ order, account, at });
    },
    confirm: () => {
      if (!asked) return;
      confirmed.current = contentOf(asked.order);
      setAsked(undefined);
      pay(asked.order, asked.account);
    },
    cancel: () => setAsked(undefined),
  };
}
