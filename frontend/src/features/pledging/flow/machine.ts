import type { Failure } from './failures';
import type { Doubt } from './lookUp';

/** A pledge that was created and not yet paid, because the card was refused or is incomplete. */
export interface UnpaidPledge {
  pledgeId: string;
  /** Kept in memory only: never in an address, a log or the browser's storage. */
  clientSecret: string;
  /** What it was made from (contentOf); changed content needs another pledge. */
  content: string;
  /** The card that pays it is offered to its person again. */
  isKept?: boolean;
  /** The answer to a correction of it was lost: it has to be corrected anew, whatever is typed. */
  isUnsure?: boolean;
}

/** The state of a submission, with the data that the state needs. */
export type FlowState =
  | { name: 'idle' }
  | { name: 'invalid'; unpaid?: UnpaidPledge }
  /** The card form validates itself; other methods pass through at once. */
  | { name: 'checking'; unpaid?: UnpaidPledge }
  /** The pledge waits until its backer is signed in; that may take a second step in the dialog. */
  | { name: 'signingIn' }
  | { name: 'creating' }
  /** The pledge is made; its payment waits until those of abandoned pledges are closed. */
  | { name: 'closingEarlier' }
  | { name: 'settingUp'; pledgeId: string }
  /** Without `unpaid`, at provider B, where the next press finds the pledge again. */
  | { name: 'confirming'; unpaid?: UnpaidPledge }
  | { name: 'awaitingCard'; unpaid: UnpaidPledge; failure: Failure }
  | { name: 'openingPage'; pledgeId: string }
  /** `isBank`: to the page of a bank, which confirms a card or an account. */
  | { name: 'redirecting'; url: string; isBank?: true }
  /** A payment that was under way when the page was left is asked about. */
  | { name: 'lookingUp'; doubt: Doubt }
  /** An answer was lost. Nothing can be paid until it is known what came of it. */
  | { name: 'unknown'; doubt: Doubt }
  /** `earlier`: an abandoned pledge turned out to be paid, or a bank has its payment. `isDebit`: an account will be debited. */
  | { name: 'succeeded'; pledgeId: string; earlier?: 'paid' | 'settling'; isDebit?: true }
  /** With `unpaid`, only its correction failed: it can still be paid. */
  | { name: 'failed'; failure: Failure; unpaid?: UnpaidPledge };

/** The name of a state. */
export type FlowName = FlowState['name'];

type With<Name extends FlowName> = Omit<Extract<FlowState, { name: Name }>, 'name'>;

/** The events of a submission. Each carries the data of the state that it leads to. */
export type FlowEvent =
  | { type: 'formRefused' }
  | { type: 'payPressed' }
  | { type: 'cardIncomplete' }
  | { type: 'accountAsked' }
  /** Refused, or left: the pledge waits no longer. */
  | { type: 'signInOver' }
  | { type: 'pledgeAsked' }
  | { type: 'earlierAwaited' }
  | ({ type: 'paymentAsked' } & With<'settingUp'>)
  | ({ type: 'cardCharged' } & With<'confirming'>)
  | ({ type: 'cardRefused' } & With<'awaitingCard'>)
  | ({ type: 'pageAsked' } & With<'openingPage'>)
  | ({ type: 'pageOpened' } & With<'redirecting'>)
  | ({ type: 'leftUnderWay' } & With<'lookingUp'>)
  | ({ type: 'unanswered' } & With<'unknown'>)
  /** What was left under way was not paid, which nobody has to be told. */
  | { type: 'nothingCharged' }
  | ({ type: 'paid' } & With<'succeeded'>)
  | ({ type: 'failed' } & With<'failed'>)
  /** The browser's back button restored this page from the back/forward cache. */
  | { type: 'cameBack' };

type Transitions = Readonly<Partial<Record<FlowEvent['type'], FlowName>>>;

/** The transitions of all states in which Pay can be pressed. */
const resting: Transitions = { formRefused: 'invalid', payPressed: 'checking', failed: 'failed' };

/** All transitions: state, event, next state. Other events are ignored. */
const transitions: Readonly<Record<FlowName, Transitions>> = {
  idle: { ...resting, leftUnderWay: 'lookingUp' },
  invalid: resting,
  failed: resting,
  awaitingCard: resting,
  checking: {
    cardIncomplete: 'invalid',
    accountAsked: 'signingIn',
    pledgeAsked: 'creating',
    cardCharged: 'confirming',
    failed: 'failed',
  },
  signingIn: { signInOver: 'invalid', pledgeAsked: 'creating', failed: 'failed' },
  creating: {
    unanswered: 'unknown',
    cardRefused: 'awaitingCard',
    earlierAwaited: 'closingEarlier',
    paymentAsked: 'settingUp',
    pageAsked: 'openingPage',
    cardCharged: 'confirming',
    paid: 'succeeded',
    failed: 'failed',
  },
  closingEarlier: {
    unanswered: 'unknown',
    paymentAsked: 'settingUp',
    pageAsked: 'openingPage',
    paid: 'succeeded',
    failed: 'failed',
  },
  settingUp: {
    unanswered: 'unknown',
    cardCharged: 'confirming',
    cardIncomplete: 'invalid',
    pageOpened: 'redirecting',
    paid: 'succeeded',
    failed: 'failed',
  },
  confirming: {
    unanswered: 'unknown',
    pageOpened: 'redirecting',
    paid: 'succeeded',
    cardRefused: 'awaitingCard',
    cardIncomplete: 'invalid',
    failed: 'failed',
  },
  openingPage: {
    unanswered: 'unknown',
    pageAsked: 'openingPage',
    pageOpened: 'redirecting',
    paid: 'succeeded',
    failed: 'failed',
  },
  redirecting: { cameBack: 'idle' },
  lookingUp: { unanswered: 'unknown', nothingCharged: 'idle', paid: 'succeeded', failed: 'failed' },
  unknown: {
    unanswered: 'unknown',
    nothingCharged: 'idle',
    paid: 'succeeded',
    cardRefused: 'awaitingCard',
    failed: 'failed',
  },
  succeeded: {},
};

/** The state after an event; the same object if the state has no transition for it. */
export function next(state: FlowState, event: FlowEvent): FlowState {
  const { type, ...data } = event;
  const name = transitions[state.name][type];
  if (!name) return state;
  const unpaid = keepsUnpaid(type) ? { unpaid: unpaidOf(state) } : {};
  // Safe: FlowEvent gives each event the data of the state that `transitions` leads it to.
  return { ...unpaid, ...data, name } as FlowState;
}

/** An unpaid pledge is kept while the form is corrected and checked. */
function keepsUnpaid(type: FlowEvent['type']): boolean {
  return type === 'formRefused' || type === 'payPressed' || type === 'cardIncomplete';
}

/** The unpaid pledge of a state, if it has one. */
export function unpaidOf(state: FlowState): UnpaidPledge | undefined {
  return 'unpaid' in state ? state.unpaid : undefined;
}

/** Whether Pay is disabled: a submission runs or has succeeded, or the browser is leaving for the payment page. */
export function isBusy({ name }: FlowState): boolean {
  return transitions[name].payPressed === undefined;
}
