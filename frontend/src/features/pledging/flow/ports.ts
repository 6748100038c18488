import type { Pledge } from '../../../api/pledging';
import type { HostedPage, Payment } from '../../../api/payments';
import type { LocalUser } from '../../../api/session';
import type { CardOutcome } from '../card/outcome';
import type { Answer } from './answer';
import type { Account, Order } from './order';
import type { Submissions } from './submissions';

/** The state of the card form: 'off' when the platform takes no cards, 'failed' when it did not load and is retried. */
export type CardFormStatus = 'loading' | 'ready' | 'failed' | 'off';

/** The card form of the page, without the provider's own types. */
export interface CardForm {
  /** Validates the form, which shows its own messages. */
  check: () => Promise<'complete' | 'incomplete' | 'unavailable'>;
  /** Charges or saves the card, with a 3-D Secure challenge if the bank asks for one. `back`: where a bank's page returns. */
  confirm: (clientSecret: string, back: string) => Promise<CardOutcome>;
  /** Leads to the fields. The provider's form shows itself which of them is wrong. */
  focus: () => void;
}

/** What a submission needs to know of a pledge. */
export type Made = Pick<Pledge, 'pledge_id' | 'status'>;
/** What a submission needs to know of its payment. */
export type Paid = Pick<Payment, 'status' | 'failure_code'>;

/**
 * The calls about a pledge, or about a subscription, which to a submission is a pledge whose first month is paid: its id
 * is the pledge's id, and its states are told as a pledge's.
 */
export interface PledgeCalls {
  createPledge: (order: Order, key: string) => Promise<Answer<Made>>;
  /** Corrects who supports, of one that is not paid yet, as the order has it. A pledge has no such call. */
  correct?: (pledgeId: string, order: Order) => Promise<Answer<Made>>;
  /** Cancels an unpaid pledge. */
  releasePledge: (pledgeId: string) => Promise<Answer<unknown>>;
  setUp: (pledgeId: string) => Promise<Answer<{ clientSecret: string }>>;
  payment: (pledgeId: string) => Promise<Answer<Paid>>;
}

/** All side effects of a submission, so that tests can replace them. */
export interface Ports extends PledgeCalls {
  card: {
    check: CardForm['check'];
    confirm: (clientSecret: string, pledgeId: string) => Promise<CardOutcome>;
  };
  submissions: Submissions;
  /** Without data, the backer has left the dialog for the second step. */
  openAccount: (account: Account) => Promise<Answer<LocalUser | undefined>>;
  openPage: (pledgeId: string) => Promise<Answer<HostedPage>>;
  leaveFor: (url: string) => void;
  wait: (milliseconds: number) => Promise<void>;
  /** In milliseconds. */
  now: () => number;
}
