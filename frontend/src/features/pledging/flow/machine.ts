import type { Failure } from './failures';

/** A pledge that exists and waits for a card. */
export interface UnpaidPledge {
  pledgeId: string;
  /** Stays in memory: never in an address, a log or the browser's storage. */
  clientSecret: string;
  /** What it was made from; another content needs another pledge. */
  content: string;
}

/** Where a submission stands, with exactly the data that the step has. */
export type FlowState =
  | { name: 'idle' }
  | { name: 'invalid'; unpaid?: UnpaidPledge }
  /** The card form checks whether it is complete; the payment page needs no such check. */
  | { name: 'checking'; unpaid?: UnpaidPledge }
  | { name: 'signingIn' }
  | { name: 'creating' }
  /** The pledge is made, and its payment has to wait for those of pledges that were given up. */
  | { name: 'closingEarlier' }
  | { name: 'settingUp'; pledgeId: string }
  | { name: 'confirming'; unpaid: UnpaidPledge }
  | { name: 'awaitingCard'; unpaid: UnpaidPledge; failure: Failure }
  | { name: 'openingPage'; pledgeId: string }
  | { name: 'redirecting'; url: string }
  /** `earlier`: it is a pledge that was given up, and its payment has gone through, or is with the bank, all the same. */
  | { name: 'succeeded'; pledgeId: string; earlier?: 'paid' | 'settling' }
  | { name: 'failed'; failure: Failure };

export type FlowName = FlowState['name'];

type With<Name extends FlowName> = Omit<Extract<FlowState, { name: Name }>, 'name'>;

/** What happens to a submission. Each event brings what the state that it leads to has. */
export type FlowEvent =
  | { type: 'formRefused' }
  | { type: 'payPressed' }
  | { type: 'cardIncomplete' }
  | { type: 'accountAsked' }
  | { type: 'pledgeAsked' }
  | { type: 'earlierAwaited' }
  | ({ type: 'paymentAsked' } & With<'settingUp'>)
  | ({ type: 'cardCharged' } & With<'confirming'>)
  | ({ type: 'cardRefused' } & With<'awaitingCard'>)
  | ({ type: 'pageAsked' } & With<'openingPage'>)
  | ({ type: 'pageOpened' } & With<'redirecting'>)
  | ({ type: 'paid' } & With<'succeeded'>)
  | ({ type: 'failed' } & With<'failed'>)
  /** Back from the payment page by the browser's button, with this page as it was left. */
  | { type: 'cameBack' };

type Moves = Readonly<Partial<Record<FlowEvent['type'], FlowName>>>;

/** Nothing runs: Pay may be pressed. */
const resting: Moves = { formRefused: 'invalid', payPressed: 'checking', failed: 'failed' };

/** Every move there is: state, event, next state. An event that a state does not name is ignored. */
const moves: Readonly<Record<FlowName, Moves>> = {
  idle: resting,
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
  signingIn: { pledgeAsked: 'creating', failed: 'failed' },
  creating: {
    earlierAwaited: 'closingEarlier',
    paymentAsked: 'settingUp',
    pageAsked: 'openingPage',
    paid: 'succeeded',
    failed: 'failed',
  },
  closingEarlier: {
    paymentAsked: 'settingUp',
    pageAsked: 'openingPage',
    paid: 'succeeded',
    failed: 'failed',
  },
  settingUp: { cardCharged: 'confirming', paid: 'succeeded', failed: 'failed' },
  confirming: {
    paid: 'succeeded',
    cardRefused: 'awaitingCard',
    cardIncomplete: 'invalid',
    failed: 'failed',
  },
  openingPage: { pageAsked: 'openingPage', pageOpened: 'redirecting', paid: 'succeeded', failed: 'failed' },
  redirecting: { cameBack: 'idle' },
  succeeded: {},
};

/** The state after an event; the very same state when the table has no such move. */
export function next(state: FlowState, event: FlowEvent): FlowState {
  const { type, ...data } = event;
  const name = moves[state.name][type];
  if (!name) return state;
  const unpaid = keepsUnpaid(type) ? { unpaid: unpaidOf(state) } : {};
  // That an event brings what its state has is in the types above; that it leads there is in the table.
  return { ...unpaid, ...data, name } as FlowState;
}

/** A pledge that waits for a card is kept while the form is corrected and checked. */
function keepsUnpaid(type: FlowEvent['type']): boolean {
  return type === 'formRefused' || type === 'payPressed' || type === 'cardIncomplete';
}

export function unpaidOf(state: FlowState): UnpaidPledge | undefined {
  return 'unpaid' in state ? state.unpaid : undefined;
}

/** A submission runs, is over, or the browser is on its way out; Pay cannot be pressed. */
export function isBusy({ name }: FlowState): boolean {
  return moves[name].payPressed === undefined;
}
