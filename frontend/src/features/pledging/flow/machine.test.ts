import { ownFailure } from './failures';
import { isBusy, next, type FlowEvent, type FlowName, type FlowState } from './machine';

const unpaid = { pledgeId: 'p', clientSecret: 's', content: 'c' };
const failure = ownFailure('card_declined');
const doubt = { about: 'payment', pledgeId: 'p', amount: 45, since: 0 } as const;

const states: Record<FlowName, FlowState> = {
  idle: { name: 'idle' },
  invalid: { name: 'invalid', unpaid },
  failed: { name: 'failed', failure },
  awaitingCard: { name: 'awaitingCard', unpaid, failure },
  checking: { name: 'checking', unpaid },
  signingIn: { name: 'signingIn' },
  creating: { name: 'creating' },
  closingEarlier: { name: 'closingEarlier' },
  settingUp: { name: 'settingUp', pledgeId: 'p' },
  confirming: { name: 'confirming', unpaid },
  openingPage: { name: 'openingPage', pledgeId: 'p' },
  redirecting: { name: 'redirecting', url: 'https://pay' },
  lookingUp: { name: 'lookingUp', doubt },
  unknown: { name: 'unknown', doubt },
  succeeded: { name: 'succeeded', pledgeId: 'p' },
};

const events: readonly FlowEvent[] = [
  { type: 'formRefused' },
  { type: 'payPressed' },
  { type: 'cardIncomplete' },
  { type: 'accountAsked' },
  { type: 'signInOver' },
  { type: 'pledgeAsked' },
  { type: 'earlierAwaited' },
  { type: 'paymentAsked', pledgeId: 'p' },
  { type: 'cardCharged', unpaid },
  { type: 'cardRefused', unpaid, failure },
  { type: 'pageAsked', pledgeId: 'p' },
  { type: 'pageOpened', url: 'https://pay' },
  { type: 'leftUnderWay', doubt },
  { type: 'unanswered', doubt },
  { type: 'nothingCharged' },
  { type: 'paid', pledgeId: 'p' },
  { type: 'failed', failure },
  { type: 'cameBack' },
];

// The expected transitions, written by hand, so that a transition added to or removed from the code fails here. An
// event that a state does not list is ignored in it.
const table: Record<FlowName, Partial<Record<FlowEvent['type'], FlowName>>> = {
  idle: { formRefused: 'invalid', payPressed: 'checking', failed: 'failed', leftUnderWay: 'lookingUp' },
  invalid: { formRefused: 'invalid', payPressed: 'checking', failed: 'failed' },
  failed: { formRefused: 'invalid', payPressed: 'checking', failed: 'failed' },
  awaitingCard: { formRefused: 'invalid', payPressed: 'checking', failed: 'failed' },
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
    cardIncomplete: 'invalid',
    cardRefused: 'awaitingCard',
    paid: 'succeeded',
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

const transitions = Object.values(states).flatMap((from) =>
  events.map((event) => ({ from, event, to: table[from.name][event.type] ?? 'ignored' })),
);

test('the table has all states and all events', () => {
  expect(transitions).toHaveLength(15 * 18);
});

test.each(transitions)('$from.name, $event.type: $to', ({ from, event: { type, ...data }, to }) => {
  const after = next(from, { type, ...data } as FlowEvent);
  if (to === 'ignored') expect(after).toBe(from);
  else if (to === 'invalid' || to === 'checking')
    expect(after).toEqual({ name: to, unpaid: 'unpaid' in from ? unpaid : undefined });
  else expect(after).toEqual({ name: to, ...data });
});

test.each(Object.values(states))('in state $name, Pay is enabled only if no submission runs', (state) => {
  expect(isBusy(state)).toBe(!['idle', 'invalid', 'failed', 'awaitingCard'].includes(state.name));
});

test('an unpaid pledge is kept while the form is corrected, and after a failure that leaves it payable', () => {
  const { awaitingCard } = states;
  const corrected = next(next(awaitingCard, { type: 'formRefused' }), { type: 'payPressed' });
  expect(corrected).toEqual({ name: 'checking', unpaid });
  const failed = next(awaitingCard, { type: 'failed', failure });
  expect(next(failed, { type: 'payPressed' })).toEqual({ name: 'checking', unpaid: undefined });
  const uncorrected = next(states.creating, { type: 'failed', failure, unpaid });
  expect(next(uncorrected, { type: 'payPressed' })).toEqual({ name: 'checking', unpaid });
});
