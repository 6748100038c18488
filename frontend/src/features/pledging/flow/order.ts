import type { NewBankAccount } from '../../../api/checkoutPayments';
import type { NewPledge } from '../../../api/pledging';

/** An account to be debited: one that the provider knows of this payer, or one that is typed. */
export type DebitAccount =
  { kind: 'known'; id: string } | { kind: 'new'; account: Omit<NewBankAccount, 'pledgeId'> };

/**
 * How an order is paid, with what that needs. card: with provider A's form on this page · ownCard: with our fields, which
 * provider B takes · keptFormCard, keptCard: with a card that provider A or B has kept · bank: by debiting an account · page, ownPage: on
 * provider A's or B's hosted page.
 */
export type Means =
  /** `isKept`: the card is offered to its person again. */
  | { method: 'card' | 'page' | 'ownPage'; isKept?: boolean }
  | { method: 'ownCard'; isKept: boolean }
  | { method: 'keptFormCard' | 'keptCard'; cardId: string }
  /** Without an account, those are asked for that were used before. */
  | { method: 'bank'; account: DebitAccount | undefined };

/** The name of a way to pay. */
export type Way = Means['method'];

/** What is bought. */
export interface Purchase {
  campaignId: number;
  newPledge: NewPledge;
}

/** What is submitted: the pledge and how it is paid. Passwords are not part of it, nor is a card that is typed. */
export type Order = Purchase & Means;

/** The account to sign in to or to create. Passed along with the order and stored nowhere. */
export type Account =
  | { kind: 'existing'; email: string; password: string }
  | { kind: 'new'; email: string; password: string; first_name: string; last_name: string };

/** Equal content is the same pledge. It excludes the payment method, because one pledge can be paid by either. */
export function contentOf({ campaignId, newPledge }: Purchase): string {
  return JSON.stringify({ campaignId, newPledge });
}

/** Whether an order costs and gets the same as one of this content, so that only who orders is another. */
export function isSameChoice(content: string, { newPledge: now }: Purchase): boolean {
  const { newPledge: before } = JSON.parse(content) as Pick<Purchase, 'newPledge'>;
  return before.amount === now.amount && before.reward_id === now.reward_id;
}

/** What a choice (choiceOf) costs, in the major unit, and whose it is. */
export function boughtBy(choice: string): { amount: number; email: string } {
  const [amount, , , email] = JSON.parse(choice) as [number, unknown, unknown, string];
  return { amount, email };
}

/** What an order of this content costs and gets, and for whom: a second one of the same is asked about. */
export function choiceOf(content: string): string {
  const { newPledge } = JSON.parse(content) as Pick<Purchase, 'newPledge'>;
  const { amount, reward_id, pledge_meta: meta } = newPledge;
  return JSON.stringify([amount, reward_id, meta.quantity ?? 1, meta.email.toLowerCase()]);
}
