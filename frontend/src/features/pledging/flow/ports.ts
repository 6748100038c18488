import type { Pledge } from '../../../api/pledging';
import type { ApiError } from '../../../api/apiError';
import type { HostedPage, Payment } from '../../../api/payments';
import type { LocalUser } from '../../../api/session';
import type { CardOutcome } from '../card/outcome';
import type { Account, Order } from './order';
import type { Submissions } from './submissions';

/** The result of a request. */
export type Answer<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

/** The state of the card form: 'off' when the platform takes no cards, 'failed' when it did not load and is retried. */
export type CardFormStatus = 'loading' | 'ready' | 'failed' | 'off';

/** The card form of the page, without the provider's own types. */
export interface CardForm {
  /** Validates the form, which shows its own messages. */
  check: () => Promise<'complete' | 'incomplete' | 'unavailable'>;
  /** Charges the card, with a 3-D Secure challenge if the bank asks for one. */
  confirm: (clientSecret: string, pledgeId: string) => Promise<CardOutcome>;
}

/** All side effects of a submission, so that tests can replace them. */
export interface Ports {
  card: CardForm;
  submissions: Submissions;
  /** Without data, the backer has left the dialog for the second step. */
  openAccount: (account: Account) => Promise<Answer<LocalUser | undefined>>;
  createPledge: (order: Order, key: string) => Promise<Answer<Pledge>>;
  /** Cancels an unpaid pledge. */
  releasePledge: (pledgeId: string) => Promise<Answer<unknown>>;
  setUp: (pledgeId: string) => Promise<Answer<{ clientSecret: string }>>;
  payment: (pledgeId: string) => Promise<Answer<Payment>>;
  openPage: (pledgeId: string) => Promise<Answer<HostedPage>>;
  leaveFor: (url: string) => void;
  wait: (milliseconds: number) => Promise<void>;
  /** In milliseconds. */
  now: () => number;
}
