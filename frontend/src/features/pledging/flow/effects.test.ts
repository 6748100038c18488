import { aPayment, aPledge } from '../../../../test/builders';
import { aHarness, end, order, other, refused } from '../../../../test/submission';
import type { CardOutcome } from '../card/outcome';
import { pageRetries } from './effects';
import { contentOf } from './order';
import type { Answer } from './ports';

afterEach(() => window.sessionStorage.clear());

test('one press pays: card looked at, pledge made, payment set up, confirmed', async () => {
  const harness = aHarness();
  const seen: string[] = [];
  harness.store.subscribe(() => seen.push(harness.state().name));
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
  expect([...new Set(seen)]).toEqual(['checking', 'creating', 'settingUp', 'confirming', 'succeeded']);
});

test('presses while one runs send nothing', async () => {
  const harness = aHarness();
  harness.press(order);
  harness.press(order);
  harness.press(other);
  await end(harness);
  expect(harness.calls).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('an incomplete card makes no pledge', async () => {
  const harness = aHarness({
    card: { ...aHarness().ports.card, check: () => Promise.resolve('incomplete') },
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('invalid');
  expect(harness.calls).toEqual([]);
});

test('after a refused card the same pledge takes another one', async () => {
  const outcomes: CardOutcome[] = [{ kind: 'refused', status: 'card_declined' }, { kind: 'paid' }];
  const confirm = () => Promise.resolve<CardOutcome>(outcomes.shift() ?? { kind: 'paid' });
  const harness = aHarness({ card: { check: () => Promise.resolve('complete'), confirm } });
  harness.press(order);
  expect(await end(harness)).toMatchObject({
    name: 'awaitingCard',
    failure: { error: { status: 'card_declined' } },
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('succeeded');
  expect(harness.calls).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('another content gives the unpaid pledge up first and goes under a new key', async () => {
  const confirm = (): Promise<CardOutcome> => Promise.resolve({ kind: 'refused', status: 'generic' });
  const harness = aHarness({ card: { check: () => Promise.resolve('complete'), confirm } });
  harness.press(order);
  await end(harness);
  harness.press(other);
  await end(harness);
  expect(harness.calls).toEqual([
    'createPledge key-1',
    'setUp pledge-of-key-1',
    'releasePledge pledge-of-key-1',
    'createPledge key-2',
    'payment pledge-of-key-1',
    'setUp pledge-of-key-2',
  ]);
});

test('a pledge that turns out paid when it is given up is not paid again', async () => {
  const harness = aHarness({ releasePledge: () => Promise.resolve(refused('pledge_already_paid')) });
  harness.ports.submissions.begin(contentOf(other));
  harness.ports.submissions.made('pledge-before');
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-before' });
  expect(harness.calls).toEqual(['releasePledge pledge-before']);
});

test('a lost answer is asked for again under the same key', async () => {
  let isLost = true;
  const harness = aHarness({
    createPledge: () => {
      const answer: Answer<ReturnType<typeof aPledge>> = isLost
        ? refused('invalid_response', 0)
        : { data: aPledge({ pledge_id: 'one' }) };
      isLost = false;
      return Promise.resolve(answer);
    },
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('failed');
  harness.press(order);
  await end(harness);
  expect(harness.calls.slice(0, 2)).toEqual(['createPledge key-1', 'createPledge key-1']);
});

test('a refusal is final for its key', async () => {
  const harness = aHarness({ createPledge: () => Promise.resolve(refused('reward_gone')) });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { at: 'pledge', error: { status: 'reward_gone' } } });
  harness.press(order);
  await end(harness);
  expect(harness.calls).toEqual(['createPledge key-1', 'createPledge key-2']);
});

test('a replayed pledge that has lapsed is made anew', async () => {
  const harness = aHarness({
    createPledge: (_order, key) =>
      Promise.resolve({ data: aPledge({ pledge_id: key, status: key === 'old' ? 'expired' : 'created' }) }),
  });
  window.sessionStorage.setItem('tk-submission-3', JSON.stringify({ key: 'old', content: contentOf(order) }));
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'key-1' });
});

test('whether a lost confirmation charged is the server’s to say', async () => {
  const card = {
    ...aHarness().ports.card,
    confirm: (): Promise<CardOutcome> => Promise.resolve({ kind: 'unclear' }),
  };
  for (const [status, name] of [
    ['succeeded', 'succeeded'],
    ['processing', 'succeeded'],
    ['created', 'awaitingCard'],
    ['canceled', 'failed'],
  ] as const) {
    const harness = aHarness({ card, payment: () => Promise.resolve({ data: aPayment({ status }) }) });
    harness.press(order);
    expect((await end(harness)).name).toBe(name);
  }
});

test('a payment that ended for too many refused cards says so, and the next press pledges anew', async () => {
  const card = {
    ...aHarness().ports.card,
    confirm: (): Promise<CardOutcome> => Promise.resolve({ kind: 'unclear' }),
  };
  const data = aPayment({ status: 'canceled', failure_code: 'too_many_declines' });
  const harness = aHarness({ card, payment: () => Promise.resolve({ data }) });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'too_many_declines' } } });
  expect(harness.ports.submissions.current()).toBeUndefined();
});

test('the hosted page is asked for again five times, as long apart as the server says', async () => {
  const harness = aHarness({ openPage: () => Promise.resolve({ data: { retryAfter: 2_000 } }) });
  harness.press({ ...order, method: 'page' });
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'payment_page_failed' } } });
  expect(harness.calls.filter((act) => act.startsWith('openPage'))).toHaveLength(1 + pageRetries);
  expect(harness.calls.filter((act) => act === 'wait 2000')).toHaveLength(pageRetries);
});

test('the hosted page is opened when it is there', async () => {
  const harness = aHarness();
  harness.press({ ...order, method: 'page' });
  expect(await end(harness)).toEqual({ name: 'redirecting', url: 'https://pay.example/1' });
  expect(harness.calls).toContain('leaveFor https://pay.example/1');
});

test('a sign-in comes before the pledge, brings the name, and its failure stops there', async () => {
  const nameless = {
    ...order,
    newPledge: { ...order.newPledge, pledge_meta: { email: 'a@b.fi', first_name: '', last_name: '' } },
  };
  const account = { kind: 'existing', email: 'a@b.fi', password: 'salasana' } as const;
  const names: string[] = [];
  const harness = aHarness({
    createPledge: ({ newPledge }) => {
      names.push(newPledge.pledge_meta.first_name);
      return Promise.resolve({ data: aPledge() });
    },
  });
  harness.press(nameless, account);
  await end(harness);
  expect(harness.calls[0]).toBe('openAccount');
  expect(names).toEqual(['Leena']);

  window.sessionStorage.clear();
  const failing = aHarness({ openAccount: () => Promise.resolve(refused('sign_in_failed', 401)) });
  failing.press(nameless, account);
  expect(await end(failing)).toMatchObject({ failure: { at: 'account' } });
  expect(failing.calls).toEqual(['openAccount']);
  expect(JSON.stringify(failing.store.getState())).not.toContain('salasana');
});

test('no client secret is a configuration error', async () => {
  const harness = aHarness({ setUp: () => Promise.resolve({ data: { clientSecret: '' } }) });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'configuration_error' } } });
});
