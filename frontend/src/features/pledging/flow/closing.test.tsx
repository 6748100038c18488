import { aPayment, aPledge } from '../../../../test/builders';
import { aHarness, end, lost, order, other, refused, type Harness } from '../../../../test/submission';
import type { Payment } from '../../../api/payments';
import type { CardOutcome } from '../card/outcome';
import { closingTimeout } from './closing';
import type { Answer } from './answer';
import { contentOf, type Order } from './order';
import type { Ports } from './ports';

type PollResult = Payment['status'] | 'none' | 'offline' | 'unavailable';

/** Serves the payment of an abandoned pledge: one result per poll; the last is repeated. */
function polling(...polls: PollResult[]): Ports['payment'] {
  return (pledgeId) => {
    const poll = (polls.length > 1 ? polls.shift() : polls[0]) ?? 'none';
    return Promise.resolve(answerOf(poll, pledgeId));
  };
}

function answerOf(poll: PollResult, pledgeId: string): Answer<Payment> {
  switch (poll) {
    case 'none':
      return refused('not_found', 404);
    case 'offline':
      return refused('invalid_response', 0);
    case 'unavailable':
      return refused('unavailable', 503);
    default:
      return {
        data: aPayment({ pledge_id: pledgeId, status: poll }),
      };
  }
}

/** A tab in which `order` was submitted, became the pledge "earlier" and was not paid. */
function unpaid(changes: Partial<Ports> = {}): Harness {
  const harness = aHarness(changes);
  harness.ports.submissions.begin(contentOf(order));
  harness.ports.submissions.made('earlier');
  return harness;
}

const press = (harness: Harness, what: Order = other) => {
  harness.press(what);
  return end(harness);
};
const count = ({ calls }: Harness, call: string) => calls.filter((one) => one === call).length;
const paying = /^(setUp|openPage)/;

afterEach(() => window.sessionStorage.clear());

describe.each(['card', 'page'] as const)('by %s', (method) => {
  const changed: Order = { ...other, method };
  const begun = method === 'card' ? 'setUp pledge-of-key-2' : 'openPage pledge-of-key-2';

  test.each<PollResult>(['none', 'canceled', 'failed', 'refunded'])(
    'if the earlier payment is %s, it can no longer be paid, and the new payment begins after one poll',
    async (poll) => {
      const harness = unpaid({ payment: polling(poll) });
      expect((await press(harness, changed)).name).toBe(method === 'card' ? 'succeeded' : 'redirecting');
      expect(harness.calls.slice(0, 4)).toEqual([
        'releasePledge earlier',
        'createPledge key-2',
        'payment earlier',
        begun,
      ]);
    },
  );

  test('the new payment does not begin while the earlier one is open', async () => {
    const harness = unpaid({ payment: polling('requires_action', 'created', 'canceled') });
    await press(harness, changed);
    const begins = harness.calls.indexOf(begun);
    expect(count(harness, 'payment earlier')).toBe(3);
    expect(begins).toBeGreaterThan(harness.calls.lastIndexOf('payment earlier'));
  });

  test.each([
    ['succeeded', 'paid'],
    ['partly_refunded', 'paid'],
    ['disputed', 'paid'],
    ['processing', 'settling'],
  ] as const)(
    'if the earlier payment turns out %s, nothing is paid again and the new pledge is released',
    async (poll, earlier) => {
      const harness = unpaid({ payment: polling('requires_action', poll) });
      expect(await press(harness, changed)).toEqual({ name: 'succeeded', pledgeId: 'earlier', earlier });
      expect(harness.calls).toContain('releasePledge pledge-of-key-2');
      expect(harness.calls.filter((call) => paying.test(call))).toEqual([]);
    },
  );

  test.each<PollResult>(['created', 'requires_action'])(
    'if the earlier payment stays %s, the submission fails with that reason before the timeout',
    async (poll) => {
      const harness = unpaid({ payment: polling(poll) });
      expect(await press(harness, changed)).toMatchObject({
        name: 'failed',
        failure: { at: 'payment', error: { status: 'still_closing' } },
      });
      expect(harness.calls.filter((call) => paying.test(call))).toEqual([]);
      const waited = harness.calls
        .filter((call) => call.startsWith('wait '))
        .reduce((sum, call) => sum + Number(call.slice(5)), 0);
      expect(waited).toBeGreaterThan(closingTimeout - 2_000);
      expect(waited).toBeLessThanOrEqual(closingTimeout);
    },
  );
});

test('waiting for the earlier payment is a step of its own, between pledge and payment', async () => {
  const harness = unpaid();
  const seen: string[] = [];
  harness.store.subscribe(() => seen.push(harness.state().name));
  await press(harness);
  expect(seen).toEqual(['checking', 'creating', 'closingEarlier', 'settingUp', 'confirming', 'succeeded']);
});

test('without an earlier pledge there is no wait', async () => {
  const harness = aHarness();
  await press(harness);
  expect(harness.calls).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('after a poll without a response, polling continues', async () => {
  const harness = unpaid({ payment: polling('offline', 'unavailable', 'requires_action', 'canceled') });
  expect(await press(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-2' });
  expect(count(harness, 'payment earlier')).toBe(4);
});

test('if no poll has a response, it is unknown whether the earlier one was charged', async () => {
  const harness = unpaid({ payment: polling('offline') });
  expect(await press(harness)).toMatchObject({
    name: 'unknown',
    doubt: { pledgeId: 'earlier', isEarlier: true },
  });
  expect(harness.calls.filter((call) => paying.test(call))).toEqual([]);
});

test('the next submission waits again and pays the pledge that was already made', async () => {
  const polls: PollResult[] = ['requires_action'];
  const harness = unpaid({ payment: (id) => polling(...polls)(id) });
  await press(harness);
  polls[0] = 'canceled';
  harness.calls.length = 0;
  expect(await press(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-2' });
  expect(harness.calls).toEqual([
    'releasePledge earlier',
    'createPledge key-2',
    'payment earlier',
    'setUp pledge-of-key-2',
  ]);
});

test('a reload does not forget which pledge was abandoned', async () => {
  await press(unpaid({ payment: polling('requires_action') }));
  const reloaded = aHarness({ payment: polling('requires_action') });
  expect(await press(reloaded)).toMatchObject({ failure: { error: { status: 'still_closing' } } });
  expect(count(reloaded, 'payment earlier')).toBeGreaterThan(5);
  expect(reloaded.calls.filter((call) => paying.test(call))).toEqual([]);
});

test('after a second change both earlier payments have to be closed', async () => {
  const open = new Set(['earlier', 'pledge-of-key-2']);
  const payment: Ports['payment'] = (id) => polling(open.has(id) ? 'created' : 'canceled')(id);
  const harness = unpaid({ payment });
  await press(harness);
  open.delete('earlier');
  const third: Order = { ...order, newPledge: { ...order.newPledge, amount: 120 } };
  expect((await press(harness, third)).name).toBe('failed');
  open.clear();
  harness.calls.length = 0;
  expect(await press(harness, third)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-3' });
  // The first is known to be closed and is not polled again.
  expect(harness.calls).toEqual([
    'releasePledge pledge-of-key-2',
    'createPledge key-3',
    'payment pledge-of-key-2',
    'setUp pledge-of-key-3',
  ]);
});

test('changing back to the first content makes a new pledge, which waits too', async () => {
  const polls: PollResult[] = ['requires_action'];
  const harness = unpaid({ payment: (id) => polling(...polls)(id) });
  await press(harness, other);
  polls[0] = 'canceled';
  expect(await press(harness, order)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-3' });
  expect(harness.calls.slice(-5)).toEqual([
    'releasePledge pledge-of-key-2',
    'createPledge key-3',
    'payment earlier',
    'payment pledge-of-key-2',
    'setUp pledge-of-key-3',
  ]);
});

test('a pledge that cannot be released stops the submission; one that does not exist does not', async () => {
  const answers = [lost, refused('not_found', 404)];
  const harness = unpaid({ releasePledge: () => Promise.resolve(answers.shift() ?? { data: null }) });
  expect(await press(harness)).toMatchObject({
    failure: { at: 'payment', error: { status: 'not_charged' } },
  });
  expect(harness.calls).toEqual(['releasePledge earlier', 'payment earlier']);
  expect((await press(harness)).name).toBe('succeeded');
});

test('after the hosted page only changed content waits until that payment is closed', async () => {
  const same = unpaid({ payment: polling('requires_action') });
  await press(same, { ...order, method: 'page' });
  expect(same.calls).toEqual([
    'createPledge key-1',
    'openPage pledge-of-key-1',
    'leaveFor https://pay.example/1',
  ]);

  const changed = aHarness({
    payment: polling('requires_action', 'canceled'),
    createPledge: () => Promise.resolve({ data: aPledge({ pledge_id: 'anew' }) }),
  });
  await press(changed, { ...other, method: 'card' });
  expect(changed.calls).toEqual([
    'releasePledge pledge-of-key-1',
    expect.stringMatching(/^createPledge/),
    'payment pledge-of-key-1',
    'wait 250',
    'payment pledge-of-key-1',
    'setUp anew',
  ]);
});

test('an expired pledge is waited for like an abandoned one', async () => {
  const harness = unpaid({
    payment: polling('requires_action', 'canceled'),
    createPledge: (_order, key) =>
      Promise.resolve({
        data: aPledge(
          key === 'key-1'
            ? { pledge_id: 'earlier', status: 'expired' }
            : { pledge_id: 'anew', status: 'created' },
        ),
      }),
  });
  expect(await press(harness, order)).toEqual({ name: 'succeeded', pledgeId: 'anew' });
  expect(harness.calls).toEqual([
    'createPledge key-1',
    'releasePledge earlier',
    'createPledge key-2',
    'payment earlier',
    'wait 250',
    'payment earlier',
    'setUp anew',
  ]);
});

test.each(['pledge_not_payable', 'too_many_declines'])(
  'a pledge whose payment is refused for good (%s) is waited for before the next one',
  async (status) => {
    const answers: Answer<{ clientSecret: string }>[] = [refused(status)];
    const harness = unpaid({
      setUp: () => Promise.resolve(answers.shift() ?? { data: { clientSecret: 's' } }),
    });
    harness.ports.submissions.made('pledge-of-key-1');
    expect(await press(harness, order)).toMatchObject({ failure: { error: { status } } });
    harness.calls.length = 0;
    await press(harness, order);
    expect(harness.calls).toEqual([
      'releasePledge pledge-of-key-1',
      'createPledge key-2',
      'payment pledge-of-key-1',
      'setUp pledge-of-key-2',
    ]);
  },
);

test('another card for the same pledge does not wait', async () => {
  const outcomes: CardOutcome[] = [{ kind: 'refused', status: 'card_declined' }];
  const harness = unpaid({
    card: {
      check: () => Promise.resolve('complete'),
      confirm: () => Promise.resolve(outcomes.shift() ?? { kind: 'paid' }),
    },
  });
  await press(harness);
  harness.calls.length = 0;
  expect((await press(harness)).name).toBe('succeeded');
  expect(harness.calls).toEqual([]);
});
