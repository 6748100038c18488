import { aPayment, aPledge } from '../../../../test/builders';
import { aWorld, end, order, other, refused } from '../../../../test/submission';
import type { CardOutcome } from '../card/outcome';
import { pageRetries } from './effects';
import { contentOf } from './order';
import type { Answer } from './ports';

afterEach(() => window.sessionStorage.clear());

test('one press pays: card looked at, pledge made, payment set up, confirmed', async () => {
  const world = aWorld();
  const seen: string[] = [];
  world.store.subscribe(() => seen.push(world.state().name));
  world.press(order);
  expect(await end(world)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
  expect([...new Set(seen)]).toEqual(['checking', 'creating', 'settingUp', 'confirming', 'succeeded']);
});

test('presses while one runs send nothing', async () => {
  const world = aWorld();
  world.press(order);
  world.press(order);
  world.press(other);
  await end(world);
  expect(world.acts).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('an incomplete card makes no pledge', async () => {
  const world = aWorld({ card: { ...aWorld().ports.card, check: () => Promise.resolve('incomplete') } });
  world.press(order);
  expect((await end(world)).name).toBe('invalid');
  expect(world.acts).toEqual([]);
});

test('after a refused card the same pledge takes another one', async () => {
  const outcomes: CardOutcome[] = [{ kind: 'refused', status: 'card_declined' }, { kind: 'paid' }];
  const confirm = () => Promise.resolve<CardOutcome>(outcomes.shift() ?? { kind: 'paid' });
  const world = aWorld({ card: { check: () => Promise.resolve('complete'), confirm } });
  world.press(order);
  expect(await end(world)).toMatchObject({
    name: 'awaitingCard',
    failure: { error: { status: 'card_declined' } },
  });
  world.press(order);
  expect((await end(world)).name).toBe('succeeded');
  expect(world.acts).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('another content gives the unpaid pledge up first and goes under a new key', async () => {
  const confirm = (): Promise<CardOutcome> => Promise.resolve({ kind: 'refused', status: 'generic' });
  const world = aWorld({ card: { check: () => Promise.resolve('complete'), confirm } });
  world.press(order);
  await end(world);
  world.press(other);
  await end(world);
  expect(world.acts).toEqual([
    'createPledge key-1',
    'setUp pledge-of-key-1',
    'releasePledge pledge-of-key-1',
    'createPledge key-2',
    'payment pledge-of-key-1',
    'setUp pledge-of-key-2',
  ]);
});

test('a pledge that turns out paid when it is given up is not paid again', async () => {
  const world = aWorld({ releasePledge: () => Promise.resolve(refused('pledge_already_paid')) });
  world.ports.submissions.begin(contentOf(other));
  world.ports.submissions.made('pledge-before');
  world.press(order);
  expect(await end(world)).toEqual({ name: 'succeeded', pledgeId: 'pledge-before' });
  expect(world.acts).toEqual(['releasePledge pledge-before']);
});

test('a lost answer is asked for again under the same key', async () => {
  let isLost = true;
  const world = aWorld({
    createPledge: () => {
      const answer: Answer<ReturnType<typeof aPledge>> = isLost
        ? refused('invalid_response', 0)
        : { data: aPledge({ pledge_id: 'one' }) };
      isLost = false;
      return Promise.resolve(answer);
    },
  });
  world.press(order);
  expect((await end(world)).name).toBe('failed');
  world.press(order);
  await end(world);
  expect(world.acts.slice(0, 2)).toEqual(['createPledge key-1', 'createPledge key-1']);
});

test('a refusal is final for its key', async () => {
  const world = aWorld({ createPledge: () => Promise.resolve(refused('reward_gone')) });
  world.press(order);
  expect(await end(world)).toMatchObject({ failure: { at: 'pledge', error: { status: 'reward_gone' } } });
  world.press(order);
  await end(world);
  expect(world.acts).toEqual(['createPledge key-1', 'createPledge key-2']);
});

test('a replayed pledge that has lapsed is made anew', async () => {
  const world = aWorld({
    createPledge: (_order, key) =>
      Promise.resolve({ data: aPledge({ pledge_id: key, status: key === 'old' ? 'expired' : 'created' }) }),
  });
  window.sessionStorage.setItem('tk-submission-3', JSON.stringify({ key: 'old', content: contentOf(order) }));
  world.press(order);
  expect(await end(world)).toEqual({ name: 'succeeded', pledgeId: 'key-1' });
});

test('whether a lost confirmation charged is the server’s to say', async () => {
  const card = {
    ...aWorld().ports.card,
    confirm: (): Promise<CardOutcome> => Promise.resolve({ kind: 'unclear' }),
  };
  for (const [status, name] of [
    ['succeeded', 'succeeded'],
    ['processing', 'succeeded'],
    ['created', 'awaitingCard'],
    ['canceled', 'failed'],
  ] as const) {
    const world = aWorld({ card, payment: () => Promise.resolve({ data: aPayment({ status }) }) });
    world.press(order);
    expect((await end(world)).name).toBe(name);
  }
});

test('a payment that ended for too many refused cards says so, and the next press pledges anew', async () => {
  const card = {
    ...aWorld().ports.card,
    confirm: (): Promise<CardOutcome> => Promise.resolve({ kind: 'unclear' }),
  };
  const data = aPayment({ status: 'canceled', failure_code: 'too_many_declines' });
  const world = aWorld({ card, payment: () => Promise.resolve({ data }) });
  world.press(order);
  expect(await end(world)).toMatchObject({ failure: { error: { status: 'too_many_declines' } } });
  expect(world.ports.submissions.current()).toBeUndefined();
});

test('the hosted page is asked for again five times, as long apart as the server says', async () => {
  const world = aWorld({ openPage: () => Promise.resolve({ data: { retryAfter: 2_000 } }) });
  world.press({ ...order, method: 'page' });
  expect(await end(world)).toMatchObject({ failure: { error: { status: 'payment_page_failed' } } });
  expect(world.acts.filter((act) => act.startsWith('openPage'))).toHaveLength(1 + pageRetries);
  expect(world.acts.filter((act) => act === 'wait 2000')).toHaveLength(pageRetries);
});

test('the hosted page is opened when it is there', async () => {
  const world = aWorld();
  world.press({ ...order, method: 'page' });
  expect(await end(world)).toEqual({ name: 'redirecting', url: 'https://pay.example/1' });
  expect(world.acts).toContain('leaveFor https://pay.example/1');
});

test('a sign-in comes before the pledge, brings the name, and its failure stops there', async () => {
  const nameless = {
    ...order,
    newPledge: { ...order.newPledge, pledge_meta: { email: 'a@b.fi', first_name: '', last_name: '' } },
  };
  const account = { kind: 'existing', email: 'a@b.fi', password: 'salasana' } as const;
  const names: string[] = [];
  const world = aWorld({
    createPledge: ({ newPledge }) => {
      names.push(newPledge.pledge_meta.first_name);
      return Promise.resolve({ data: aPledge() });
    },
  });
  world.press(nameless, account);
  await end(world);
  expect(world.acts[0]).toBe('openAccount');
  expect(names).toEqual(['Leena']);

  window.sessionStorage.clear();
  const failing = aWorld({ openAccount: () => Promise.resolve(refused('sign_in_failed', 401)) });
  failing.press(nameless, account);
  expect(await end(failing)).toMatchObject({ failure: { at: 'account' } });
  expect(failing.acts).toEqual(['openAccount']);
  expect(JSON.stringify(failing.store.getState())).not.toContain('salasana');
});

test('no client secret is a configuration error', async () => {
  const world = aWorld({ setUp: () => Promise.resolve({ data: { clientSecret: '' } }) });
  world.press(order);
  expect(await end(world)).toMatchObject({ failure: { error: { status: 'configuration_error' } } });
});
