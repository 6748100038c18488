import { ownFailure } from './failures';
import {
  entered,
  flowReducer,
  formRefused,
  isResting,
  moves,
  payPressed,
  type FlowName,
  type FlowState,
} from './machine';
import type { Order } from './order';

const order: Order = {
  campaignId: 1,
  method: 'card',
  needsAccount: false,
  newPledge: { amount: 45, pledge_meta: { email: 'a@b.fi', first_name: 'A', last_name: 'B' } },
};
const held = { pledgeId: 'p', clientSecret: 's', content: 'c' };
const failure = ownFailure('card_declined');

const states: Record<FlowName, FlowState> = {
  idle: { name: 'idle' },
  invalid: { name: 'invalid', held },
  checkingCard: { name: 'checkingCard', order },
  signingIn: { name: 'signingIn', order },
  creating: { name: 'creating', order },
  closingEarlier: { name: 'closingEarlier', order, pledgeId: 'p' },
  settingUp: { name: 'settingUp', order, pledgeId: 'p' },
  confirming: { name: 'confirming', order, held },
  awaitingCard: { name: 'awaitingCard', held, failure },
  openingPage: { name: 'openingPage', order, pledgeId: 'p', tries: 0 },
  redirecting: { name: 'redirecting', url: 'https://pay' },
  succeeded: { name: 'succeeded', pledgeId: 'p' },
  failed: { name: 'failed', failure },
};
const names = Object.keys(states) as FlowName[];

describe.each(names)('from %s', (from) => {
  test.each(names)('the step to %s is taken only when the table has it', (to) => {
    const after = flowReducer(states[from], entered(states[to]));
    expect(after).toBe(moves[from].includes(to) ? states[to] : states[from]);
  });
});

test.each(names)('a press in %s counts only while nothing runs', (from) => {
  const after = flowReducer(states[from], payPressed({ order }));
  const isFree = ['idle', 'invalid', 'failed', 'awaitingCard'].includes(from);
  expect(isResting(states[from])).toBe(isFree);
  if (isFree) expect(after.name).toBe('checkingCard');
  else expect(after).toBe(states[from]);
});

test.each([
  ['card, no account', { ...order }, 'checkingCard'],
  ['card with an account: the card is looked at first', { ...order, needsAccount: true }, 'checkingCard'],
  ['page, no account', { ...order, method: 'page' }, 'creating'],
  ['page with an account', { ...order, method: 'page', needsAccount: true }, 'signingIn'],
] as const)('the first step of %s', (_, what, first) => {
  expect(flowReducer(states.idle, payPressed({ order: what })).name).toBe(first);
});

test('a form with errors does not lose the pledge that waits for a card', () => {
  expect(flowReducer(states.awaitingCard, formRefused())).toEqual({ name: 'invalid', held });
  expect(flowReducer({ name: 'invalid', held }, payPressed({ order }))).toMatchObject({ held });
});

test('nothing leads out of success', () => expect(moves.succeeded).toEqual([]));
