import { ownFailure } from './failures';
import { isBusy, next, type FlowEvent, type FlowName, type FlowState } from './machine';

const unpaid = { pledgeId: 'p', clientSecret: 's', content: 'c' };
const failure = ownFailure('card_declined');

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
  succeeded: { name: 'succeeded', pledgeId: 'p' },
};

// The columns of the table below, from left to right.
const events: readonly FlowEvent[] = [
  { type: 'formRefused' },
  { type: 'payPressed' },
  { type: 'cardIncomplete' },
  { type: 'accountAsked' },
  { type: 'pledgeAsked' },
  { type: 'earlierAwaited' },
  { type: 'paymentAsked', pledgeId: 'p' },
  { type: 'cardCharged', unpaid },
  { type: 'cardRefused', unpaid, failure },
  { type: 'pageAsked', pledgeId: 'p' },
  { type: 'pageOpened', url: 'https://pay' },
  { type: 'paid', pledgeId: 'p' },
  { type: 'failed', failure },
  { type: 'cameBack' },
];

// The expected transitions, written by hand, so that a transition added to or removed from the code fails here. A dot
// is an event that is ignored in that state.
// prettier-ignore
const table: Record<FlowName, string> = {
  //              form    pay      card    account   pledge   earlier        payment   card       card         page        page        paid      failed came
  //              refused pressed  incompl asked     asked    awaited        asked     charged    refused      asked       opened                       back
  idle:           'invalid checking .      .         .        .              .         .          .            .           .           .         failed .',
  invalid:        'invalid checking .      .         .        .              .         .          .            .           .           .         failed .',
  failed:         'invalid checking .      .         .        .              .         .          .            .           .           .         failed .',
  awaitingCard:   'invalid checking .      .         .        .              .         .          .            .           .           .         failed .',
  checking:       '.       .       invalid signingIn creating .              .         confirming .            .           .           .         failed .',
  signingIn:      '.       .       .       .         creating .              .         .          .            .           .           .         failed .',
  creating:       '.       .       .       .         .        closingEarlier settingUp .          .            openingPage .           succeeded failed .',
  closingEarlier: '.       .       .       .         .        .              settingUp .          .            openingPage .           succeeded failed .',
  settingUp:      '.       .       .       .         .        .              .         confirming .            .           .           succeeded failed .',
  confirming:     '.       .       invalid .         .        .              .         .          awaitingCard .           .           succeeded failed .',
  openingPage:    '.       .       .       .         .        .              .         .          .            openingPage redirecting succeeded failed .',
  redirecting:    '.       .       .       .         .        .              .         .          .            .           .           .         .      idle',
  succeeded:      '.       .       .       .         .        .              .         .          .            .           .           .         .      .',
};

const transitions = Object.entries(table).flatMap(([from, row]) =>
  row.split(/ +/).map((to, column) => {
    const event = events[column];
    if (!event) throw new Error(`${from} has more columns than there are events`);
    return { from: states[from as FlowName], event, to };
  }),
);

test('the table has all states and all events', () => {
  expect(transitions).toHaveLength(13 * 14);
});

test.each(transitions)('$from.name, $event.type: $to', ({ from, event: { type, ...data }, to }) => {
  const after = next(from, { type, ...data } as FlowEvent);
  if (to === '.') expect(after).toBe(from);
  else if (to === 'invalid' || to === 'checking')
    expect(after).toEqual({ name: to, unpaid: 'unpaid' in from ? unpaid : undefined });
  else expect(after).toEqual({ name: to, ...data });
});

test.each(Object.values(states))('in state $name, Pay is enabled only if no submission runs', (state) => {
  expect(isBusy(state)).toBe(!['idle', 'invalid', 'failed', 'awaitingCard'].includes(state.name));
});

test('an unpaid pledge is kept while the form is corrected, but not after a failure', () => {
  const { awaitingCard } = states;
  const corrected = next(next(awaitingCard, { type: 'formRefused' }), { type: 'payPressed' });
  expect(corrected).toEqual({ name: 'checking', unpaid });
  const failed = next(awaitingCard, { type: 'failed', failure });
  expect(next(failed, { type: 'payPressed' })).toEqual({ name: 'checking', unpaid: undefined });
});
