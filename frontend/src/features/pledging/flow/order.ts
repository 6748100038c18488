import type { NewPledge } from '../../../api/pledging';

/** How a pledge is paid: with the card form on this page, or on the provider's hosted page. */
export type Method = 'card' | 'page';

/** What is submitted: the pledge and how it is paid. Passwords are not part of it. */
export interface Order {
  campaignId: number;
  newPledge: NewPledge;
  method: Method;
}

/** The account to sign in to or to create. Passed along with the order and stored nowhere. */
export type Account =
  | { kind: 'existing'; email: string; password: string }
  | { kind: 'new'; email: string; password: string; first_name: string; last_name: string };

/** Equal content is the same pledge. It excludes the payment method, because one pledge can be paid by either. */
export function contentOf({ campaignId, newPledge }: Order): string {
  return JSON.stringify({ campaignId, newPledge });
}

/** Whether an order costs and gets the same as one of this content, so that only who orders is another. */
export function isSameChoice(content: string, { newPledge: now }: Order): boolean {
  const { newPledge: before } = JSON.parse(content) as Pick<Order, 'newPledge'>;
  return before.amount === now.amount && before.reward_id === now.reward_id;
}

/** What a choice (choiceOf) costs, in the major unit, and whose it is. */
export function boughtBy(choice: string): { amount: number; email: string } {
  const [amount, , , email] = JSON.parse(choice) as [number, unknown, unknown, string];
  return { amount, email };
}

/** What an order of this content costs and gets, and for whom: a second one of the same is asked about. */
export function choiceOf(content: string): string {
  const { newPledge } = JSON.parse(content) as Pick<Order, 'newPledge'>;
  const { amount, reward_id, pledge_meta: meta } = newPledge;
  return JSON.stringify([amount, reward_id, meta.quantity ?? 1, meta.email.toLowerCase()]);
}
