import type { Pledge } from '../../../api/pledging';
import type { FormCard, HostedPage, Payment } from '../../../api/payments';
import type {
  BankAccount,
  CardRegistration,
  CardRegistrationAnswer,
  MandateAnswer,
  PayIn,
  RegisteredCardAnswer,
} from '../../../api/checkoutPayments';
import type { LocalUser } from '../../../api/session';
import type { CardOutcome } from '../card/outcome';
import type { Answer } from './answer';
import type { Account, Purchase } from './order';
import type { CardFaults } from '../card/own/checkCard';
import type { DebitAccount } from './order';
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
  /** Something is typed, which is lost with the form. */
  isTyped: () => boolean;
}

/** A card that provider B has registered for a pledge: it pays without being typed again. */
export interface Registered {
  cardId: string;
  /** Of the order that it was typed for (contentOf). */
  content: string;
  /** Visa ···· 4242 */
  label: string;
}

/** Our own card fields on the page. What is typed into them stays in them. */
export interface OwnCardForm {
  /** Validates the fields, which show what is wrong. A card that was registered for this content is complete. */
  check: (content: string) => 'complete' | 'incomplete';
  /** Sends the card to the provider and answers with what that said, whole. */
  register: (registration: CardRegistration) => Promise<Answer<string>>;
  registered: () => Registered | undefined;
  /** The card is registered: what was typed is forgotten. */
  keep: (registered: Registered) => void;
  /** Forgets the card: it has to be typed anew. */
  clear: () => void;
  /** Shows what the provider says of the fields. */
  show: (faults: CardFaults) => void;
  focus: () => void;
  /** As of CardForm. */
  isTyped: () => boolean;
}

/** What a card is charged with at provider B. */
export interface Charge {
  pledgeId: string;
  cardId: string;
  authorId: string;
  creditedWalletId: string;
  /** In cents. */
  amount: number;
}

/** The calls about paying a pledge at provider B. */
export interface ProviderB {
  registration: (pledgeId: string) => Promise<Answer<CardRegistrationAnswer>>;
  finish: (about: {
    pledgeId: string;
    registrationId: string;
    registrationData: string;
    keep: boolean;
  }) => Promise<Answer<RegisteredCardAnswer>>;
  charge: (charge: Charge) => Promise<Answer<PayIn>>;
  accounts: (pledgeId: string) => Promise<Answer<readonly BankAccount[]>>;
  addAccount: (
    pledgeId: string,
    account: Extract<DebitAccount, { kind: 'new' }>['account'],
  ) => Promise<Answer<BankAccount>>;
  mandate: (pledgeId: string, bankAccountId: string) => Promise<Answer<MandateAnswer['mandate']>>;
  debit: (pledgeId: string, mandateId: string) => Promise<Answer<PayIn>>;
}

/** What a submission needs to know of a pledge. */
export type Made = Pick<Pledge, 'pledge_id' | 'status'>;
/** What a submission needs to know of its payment. */
export type Paid = Pick<Payment, 'status' | 'failure_code'>;

/** A payment that the provider has begun. `wasRefused`: whether a try of it was refused before; undefined if not known. */
export interface SetUp {
  clientSecret: string;
  wasRefused?: boolean;
}

/**
 * The calls about a pledge, or about a subscription, which to a submission is a pledge whose first month is paid: its id
 * is the pledge's id, and its states are told as a pledge's.
 */
export interface PledgeCalls {
  createPledge: (order: Purchase, key: string) => Promise<Answer<Made>>;
  /** Corrects who supports, of one that is not paid yet, as the order has it. A pledge has no such call. */
  correct?: (pledgeId: string, order: Purchase) => Promise<Answer<Made>>;
  /** Cancels an unpaid pledge. */
  releasePledge: (pledgeId: string) => Promise<Answer<unknown>>;
  /** `card`: what is wanted of the card that pays, where it may be kept. */
  setUp: (pledgeId: string, card: FormCard) => Promise<Answer<SetUp>>;
  payment: (pledgeId: string) => Promise<Answer<Paid>>;
}

/** All side effects of a submission, so that tests can replace them. */
export interface Ports extends PledgeCalls {
  card: {
    check: CardForm['check'];
    confirm: (clientSecret: string, pledgeId: string) => Promise<CardOutcome>;
  };
  /** Charges a card that provider A has kept, without its form. */
  confirmKept: (clientSecret: string, pledgeId: string, cardId: string) => Promise<CardOutcome>;
  /** Our own card fields, for provider B. */
  ownCard: Pick<OwnCardForm, 'check' | 'register' | 'registered' | 'keep' | 'clear' | 'show'>;
  providerB: ProviderB;
  /** A kept card is not good for another try: it is offered no longer. */
  dropCard: (cardId: string) => void;
  /** The pledge that is paid, where none is to be made. */
  existing?: string | undefined;
  submissions: Submissions;
  /** Without data, the backer has left the dialog for the second step. */
  openAccount: (account: Account) => Promise<Answer<LocalUser | undefined>>;
  /** `by`: whose hosted page. */
  openPage: (pledgeId: string, by: 'stripe' | 'card') => Promise<Answer<HostedPage>>;
  leaveFor: (url: string) => void;
  wait: (milliseconds: number) => Promise<void>;
  /** Asks again and again while something else is waited for, until the returned function is called. */
  besides: (ask: () => Promise<void>) => () => void;
  /** In milliseconds. */
  now: () => number;
}
