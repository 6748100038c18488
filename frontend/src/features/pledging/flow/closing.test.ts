import { aPayment, aPledge } from '../../../../test/builders';
import { aWorld, end, order, other, refused, type World } from '../../../../test/submission';
import type { Payment } from '../../../api/payments';
import type { CardOutcome } from '../card/outcome';
import { closingPatience } from './closing';
import { contentOf, type Order } from './order';
import type { Answer, Ports } from './ports';

type Look = Payment['status'] | 'none' | 'offline' | 'unavailable';

/** How the payment of a given-up pledge looks, look by look; the last one goes on. */
function looking(...looks: Look[]): Ports['payment'] {
  return (pledgeId) => {
    const look = (looks.length > 1 ? looks.shift() : looks[0]) ?? 'none';
    return Promise.resolve(answerOf(look, pledgeId));
  };
}

function answerOf(look: Look, pledgeId: string): Answer<Payment> {
  switch (look) {
    case 'none':
      return refused('not_found', 404);
    case 'offline':
      return refused('invalid_response', 0);
    case 'unavailable':
      return refused('unavailable', 503);
    default:
      return {
        data: aPayment({ pledge_id: pledgeId, status: look }),
      };
  }
}

/** A tab in which the content of `order` was sent, became the pledge "earlier" and was not paid. */
function unpaid(changes: Partial<Ports> = {}): World {
  const world = aWorld(changes);
  world.ports.submissions.begin(contentOf(order));
  world.ports.submissions.made('earlier');
  return world;
}

const press = (world: World, what: Order = other) => {
  world.press(what);
  return end(world);
};
const count = ({ acts }: World, act: string) => acts.filter((one) => one === act).length;
const paying = /^(setUp|openPage)/;

afterEach(() => window.sessionStorage.clear());

describe.each(['card', 'page'] as const)('by %s', (method) => {
  const changed: Order = { ...other, method };
  const begun = method === 'card' ? 'setUp pledge-of-key-2' : 'openPage pledge-of-key-2';

  test.each<Look>(['none', 'canceled', 'failed', 'refunded'])(
    'an earlier payment that is %s cannot be paid: the next one begins after one look',
    async (look) => {
      const world = unpaid({ payment: looking(look) });
      expect((await press(world, changed)).name).toBe(method === 'card' ? 'succeeded' : 'redirecting');
      expect(world.acts.slice(0, 4)).toEqual([
        'releasePledge earlier',
        'createPledge key-2',
        'payment earlier',
        begun,
      ]);
    },
  );

  test('nothing is paid while the earlier payment is open', async () => {
    const world = unpaid({ payment: looking('requires_action', 'created', 'canceled') });
    await press(world, changed);
    const begins = world.acts.indexOf(begun);
    expect(count(world, 'payment earlier')).toBe(3);
    expect(begins).toBeGreaterThan(world.acts.lastIndexOf('payment earlier'));
  });

  test.each([
    ['succeeded', 'paid'],
    ['partly_refunded', 'paid'],
    ['disputed', 'paid'],
    ['processing', 'settling'],
  ] as const)(
    'an earlier payment that is %s after all is not paid again, and the new pledge is let go',
    async (look, earlier) => {
      const world = unpaid({ payment: looking('requires_action', look) });
      expect(await press(world, changed)).toEqual({ name: 'succeeded', pledgeId: 'earlier', earlier });
      expect(world.acts).toContain('releasePledge pledge-of-key-2');
      expect(world.acts.filter((act) => paying.test(act))).toEqual([]);
    },
  );

  test.each<Look>(['created', 'requires_action'])(
    'an earlier payment that stays %s stops the submission in time, and it says so',
    async (look) => {
      const world = unpaid({ payment: looking(look) });
      expect(await press(world, changed)).toMatchObject({
        name: 'failed',
        failure: { at: 'payment', error: { status: 'still_closing' } },
      });
      expect(world.acts.filter((act) => paying.test(act))).toEqual([]);
      const waited = world.acts
        .filter((act) => act.startsWith('wait '))
        .reduce((sum, act) => sum + Number(act.slice(5)), 0);
      expect(waited).toBeGreaterThan(closingPatience - 2_000);
      expect(waited).toBeLessThanOrEqual(closingPatience);
    },
  );
});

test('the wait is a step of its own, between the pledge and its payment', async () => {
  const world = unpaid();
  const seen: string[] = [];
  world.store.subscribe(() => seen.push(world.state().name));
  await press(world);
  expect(seen).toEqual(['checking', 'creating', 'closingEarlier', 'settingUp', 'confirming', 'succeeded']);
});

test('without an earlier pledge nothing is waited for', async () => {
  const world = aWorld();
  await press(world);
  expect(world.acts).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('a look without an answer decides nothing', async () => {
  const world = unpaid({ payment: looking('offline', 'unavailable', 'requires_action', 'canceled') });
  expect(await press(world)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-2' });
  expect(count(world, 'payment earlier')).toBe(4);
});

test('when no look is answered, that is said, and not that nothing was charged', async () => {
  const world = unpaid({ payment: looking('offline') });
  expect(await press(world)).toMatchObject({
    name: 'failed',
    failure: { error: { status: 'invalid_response' } },
  });
  expect(world.acts.filter((act) => paying.test(act))).toEqual([]);
});

test('the next press waits again and pays the pledge that was made meanwhile', async () => {
  const looks: Look[] = ['requires_action'];
  const world = unpaid({ payment: (id) => looking(...looks)(id) });
  await press(world);
  looks[0] = 'canceled';
  world.acts.length = 0;
  expect(await press(world)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-2' });
  expect(world.acts).toEqual([
    'releasePledge earlier',
    'createPledge key-2',
    'payment earlier',
    'setUp pledge-of-key-2',
  ]);
});

test('a reload does not forget which pledge is being given up', async () => {
  await press(unpaid({ payment: looking('requires_action') }));
  const reloaded = aWorld({ payment: looking('requires_action') });
  expect(await press(reloaded)).toMatchObject({ failure: { error: { status: 'still_closing' } } });
  expect(count(reloaded, 'payment earlier')).toBeGreaterThan(5);
  expect(reloaded.acts.filter((act) => paying.test(act))).toEqual([]);
});

test('after yet another change both earlier payments have to be closed', async () => {
  const open = new Set(['earlier', 'pledge-of-key-2']);
  const payment: Ports['payment'] = (id) => looking(open.has(id) ? 'created' : 'canceled')(id);
  const world = unpaid({ payment });
  await press(world);
  open.delete('earlier');
  const third: Order = { ...order, newPledge: { ...order.newPledge, amount: 120 } };
  expect((await press(world, third)).name).toBe('failed');
  open.clear();
  world.acts.length = 0;
  expect(await press(world, third)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-3' });
  // The first was seen closed before and is not asked about again.
  expect(world.acts).toEqual([
    'releasePledge pledge-of-key-2',
    'createPledge key-3',
    'payment pledge-of-key-2',
    'setUp pledge-of-key-3',
  ]);
});

test('back at the first content it is a new pledge, which waits too', async () => {
  const looks: Look[] = ['requires_action'];
  const world = unpaid({ payment: (id) => looking(...looks)(id) });
  await press(world, other);
  looks[0] = 'canceled';
  expect(await press(world, order)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-3' });
  expect(world.acts.slice(-5)).toEqual([
    'releasePledge pledge-of-key-2',
    'createPledge key-3',
    'payment earlier',
    'payment pledge-of-key-2',
    'setUp pledge-of-key-3',
  ]);
});

test('a pledge that could not be let go stops the submission; an unknown one does not', async () => {
  const answers = [refused('invalid_response', 0), refused('not_found', 404)];
  const world = unpaid({ releasePledge: () => Promise.resolve(answers.shift() ?? { data: null }) });
  expect(await press(world)).toMatchObject({
    failure: { at: 'pledge', error: { status: 'invalid_response' } },
  });
  expect(world.acts).toEqual(['releasePledge earlier']);
  expect((await press(world)).name).toBe('succeeded');
});

test('back from the hosted page: the same content needs no wait, another one waits for the page to close', async () => {
  const same = unpaid({ payment: looking('requires_action') });
  await press(same, { ...order, method: 'page' });
  expect(same.acts).toEqual([
    'createPledge key-1',
    'openPage pledge-of-key-1',
    'leaveFor https://pay.example/1',
  ]);

  const changed = aWorld({
    payment: looking('requires_action', 'canceled'),
    createPledge: () => Promise.resolve({ data: aPledge({ pledge_id: 'anew' }) }),
  });
  await press(changed, { ...other, method: 'card' });
  expect(changed.acts).toEqual([
    'releasePledge pledge-of-key-1',
    expect.stringMatching(/^createPledge/),
    'payment pledge-of-key-1',
    'wait 250',
    'payment pledge-of-key-1',
    'setUp anew',
  ]);
});

test('a pledge that has lapsed is waited for like one that was given up', async () => {
  const world = unpaid({
    payment: looking('requires_action', 'canceled'),
    createPledge: (_order, key) =>
      Promise.resolve({
        data: aPledge(
          key === 'key-1'
            ? { pledge_id: 'earlier', status: 'expired' }
            : { pledge_id: 'anew', status: 'created' },
        ),
      }),
  });
  expect(await press(world, order)).toEqual({ name: 'succeeded', pledgeId: 'anew' });
  expect(world.acts).toEqual([
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
  'a pledge that its payment refuses as over (%s) is waited for before the next one',
  async (status) => {
    const answers: Answer<{ clientSecret: string }>[] = [refused(status)];
    const world = unpaid({
      setUp: () => Promise.resolve(answers.shift() ?? { data: { clientSecret: 's' } }),
    });
    world.ports.submissions.made('pledge-of-key-1');
    expect(await press(world, order)).toMatchObject({ failure: { error: { status } } });
    world.acts.length = 0;
    await press(world, order);
    expect(world.acts).toEqual([
      'releasePledge pledge-of-key-1',
      'createPledge key-2',
      'payment pledge-of-key-1',
      'setUp pledge-of-key-2',
    ]);
  },
);

test('another card for the same pledge waits for nothing', async () => {
  const outcomes: CardOutcome[] = [{ kind: 'refused', status: 'card_declined' }];
  const world = unpaid({
    card: {
      check: () => Promise.resolve('complete'),
      confirm: () => Promise.resolve(outcomes.shift() ?? { kind: 'paid' }),
    },
  });
  await press(world);
  world.acts.length = 0;
  expect((await press(world)).name).toBe('succeeded');
  expect(world.acts).toEqual([]);
});
