import { aPayment } from '../../../../test/builders';
import { aHarness, aProviderB, end, lost, order, refused, type Harness } from '../../../../test/submission';
import type { Payment } from '../../../api/payments';
import type { CardOutcome } from '../card/outcome';
import { besides } from './besides';
import type { FlowState } from './machine';
import type { Order } from './order';
import type { Ports } from './ports';

afterEach(() => {
  window.sessionStorage.clear();
  jest.useRealTimers();
});

const { campaignId, newPledge } = order;
const kept: Order = { campaignId, newPledge, method: 'keptFormCard', cardId: 'pm_1' };
const keptB: Order = { campaignId, newPledge, method: 'keptCard', cardId: 'card_1' };
const account: Order = { campaignId, newPledge, method: 'bank', account: { kind: 'known', id: 'bank_1' } };

/** A call that hangs until it is let answer. */
function aHangingCall<Answer>() {
  let answerNow: (answer: Answer) => void = () => undefined;
  const call = () => new Promise<Answer>((resolve) => (answerNow = resolve));
  return { call, answer: (answer: Answer) => answerNow(answer) };
}

const complete = () => Promise.resolve('complete' as const);
const setUpFor = (wasRefused?: boolean): Partial<Ports> => ({
  setUp: () => Promise.resolve({ data: { clientSecret: 's', wasRefused } }),
});
const found = (status: Payment['status'], failure_code?: string) => ({
  data: aPayment({ status, failure_code }),
});

/** Presses Pay and waits until the call that charges is open. */
async function press(harness: Harness, what: Order) {
  harness.press(what);
  while (harness.state().name !== 'confirming' || (await harness.askBeside()) === 0)
    await new Promise((resolve) => setTimeout(resolve));
  return harness;
}

const hangingWays: [string, Order, (call: () => Promise<never>) => Partial<Ports>][] = [
  ['a card', order, (call) => ({ card: { check: complete, confirm: call } })],
  ['a kept card', kept, (call) => ({ confirmKept: call })],
  ['a card of provider B', keptB, (call) => ({ providerB: aProviderB({ charge: call }) })],
  [
    'an account',
    account,
    (call) => ({
      providerB: aProviderB({
        mandate: () => Promise.resolve({ data: { Id: 'mdt_1', Status: 'ACTIVE' } }),
        debit: call,
      }),
    }),
  ],
];

test.each(hangingWays)(
  'while the call that charges %s hangs, it goes on waiting for what is not known, and on to the thanks once it is paid',
  async (_, what, ports) => {
    const answers = [lost, refused('unavailable', 503), refused('not_found', 404), found('created')];
    let isPaid = false;
    const { call, answer } = aHangingCall<never>();
    const harness = await press(
      aHarness({
        ...ports(call),
        payment: () => Promise.resolve(isPaid ? found('succeeded') : (answers.shift() ?? lost)),
      }),
      what,
    );
    for (let times = 0; times < 5; times += 1) {
      expect(await harness.askBeside()).toBe(1);
      expect(harness.state().name).toBe('confirming');
    }
    isPaid = true;
    await harness.askBeside();
    expect(await end(harness)).toMatchObject({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
    // Nothing asks any more, and a late answer changes nothing.
    expect(await harness.askBeside()).toBe(0);
    answer({ kind: 'refused', status: 'card_declined', ...lost } as never);
    await harness.askBeside();
    expect(harness.state().name).toBe('succeeded');
  },
);

type Case = [string, Partial<Ports>, ReturnType<typeof found>, object];

const toldAs = (name: FlowState['name'], status: string) => ({ name, failure: { error: { status } } });
const expired = found('created', 'expired_card');

test.each<Case>([
  ['a first try that was refused', setUpFor(false), expired, toldAs('awaitingCard', 'expired_card')],
  ['a refusal that may be an earlier one', setUpFor(true), expired, { name: 'confirming' }],
  ['one of which that is not known', setUpFor(), expired, { name: 'confirming' }],
  ['a bank that asks its customer', setUpFor(false), found('requires_action'), { name: 'confirming' }],
  ['a payment that is over', setUpFor(true), found('canceled'), toldAs('failed', 'pledge_not_payable')],
  ['one that a bank has in hand', setUpFor(true), found('processing'), { name: 'succeeded' }],
])('while a confirmation hangs, %s leads to what is known of it', async (_, ports, payment, state) => {
  const { call } = aHangingCall<CardOutcome>();
  const harness = aHarness({
    ...ports,
    card: { check: complete, confirm: call },
    payment: () => Promise.resolve(payment),
  });
  await press(harness, order);
  expect(harness.state()).toMatchObject(state);
  const isFailed = ['awaitingCard', 'failed'].includes(harness.state().name);
  expect(harness.ports.submissions.leftUnderWay() === undefined).toBe(isFailed);
});

test('of a card that is tried again after a refusal, that refusal is not told as the new one', async () => {
  const { call, answer } = aHangingCall<CardOutcome>();
  const tries = [() => Promise.resolve<CardOutcome>({ kind: 'refused', status: 'card_declined' }), call];
  const harness = aHarness({
    ...setUpFor(false),
    card: { check: complete, confirm: () => (tries.shift() ?? call)() },
    payment: () => Promise.resolve(found('created', 'card_declined')),
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('awaitingCard');
  await press(harness, order);
  expect(harness.state().name).toBe('confirming');
  answer({ kind: 'paid' });
  expect((await end(harness)).name).toBe('succeeded');
});

test('the services are asked after 20 s, then after the pauses of what is unknown, as long as the page is shown', async () => {
  jest.useFakeTimers();
  const asks: number[] = [];
  let seconds = 0;
  let isShown = true;
  const ask = () => {
    asks.push(seconds);
    return Promise.reject(new Error('broken'));
  };
  jest.spyOn(console, 'warn').mockReturnValue(undefined);
  const stop = besides(ask, () => isShown);
  const other = besides(ask, () => true);
  other();
  for (seconds = 1; seconds <= 60; seconds += 1) await jest.advanceTimersByTimeAsync(1_000);
  expect(asks).toEqual([20, 28, 40, 58]);
  isShown = false;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(asks).toHaveLength(4);
  stop();
});
