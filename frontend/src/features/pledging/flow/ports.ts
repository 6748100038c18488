import type { Pledge } from '../../../api/content';
import type { ApiError } from '../../../api/apiError';
import type { HostedPage, Payment } from '../../../api/payments';
import type { LocalUser } from '../../../api/session';
import type { CardOutcome } from '../card/outcome';
import type { Account, Order } from './order';
import type { Submissions } from './submissions';

export type Answer<Data> = { data: Data; error?: undefined } | { data?: undefined; error: ApiError };

/** How far the card form is: 'off' is a platform that takes no cards, 'failed' did not come and is asked for again. */
export type CardFace = 'loading' | 'ready' | 'failed' | 'off';

/** The card form of the page, whoever draws it. */
export interface CardForm {
  /** Lets the form check itself; it shows its own messages. */
  check: () => Promise<'complete' | 'incomplete' | 'unavailable'>;
  /** Pays, with a challenge of the bank when there is one. */
  confirm: (clientSecret: string, pledgeId: string) => Promise<CardOutcome>;
}

/** Everything a submission does to the world. */
export interface Ports {
  card: CardForm;
  submissions: Submissions;
  openAccount: (account: Account) => Promise<Answer<LocalUser>>;
  createPledge: (order: Order, key: string) => Promise<Answer<Pledge>>;
  /** Gives an unpaid pledge up. */
  releasePledge: (pledgeId: string) => Promise<Answer<unknown>>;
  setUp: (pledgeId: string) => Promise<Answer<{ clientSecret: string }>>;
  payment: (pledgeId: string) => Promise<Answer<Payment>>;
  openPage: (pledgeId: string) => Promise<Answer<HostedPage>>;
  leaveFor: (url: string) => void;
  wait: (milliseconds: number) => Promise<void>;
  /** In milliseconds. */
  now: () => number;
}
