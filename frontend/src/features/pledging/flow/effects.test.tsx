import { aPayment, aPledge, aUser } from '../../../../test/builders';
import { aHarness, end, order, other, refused } from '../../../../test/submission';
import type { ApiError } from '../../../api/apiError';
import type { CardOutcome } from '../card/outcome';
import { pageRetries } from './ways';
import { failed, type Answer } from './answer';
import { contentOf } from './order';

import { happened } from './slice';

afterEach(() => window.sessionStorage.clear());

test('one submission checks the card, creates the pledge, sets up the payment and confirms it', async () => {
  const harness = aHarness();
  const seen: string[] = [];
  harness.store.subscribe(() => seen.push(harness.state().name));
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
  expect([...new Set(seen)]).toEqual(['checking', 'creating', 'settingUp', 'confirming', 'succeeded']);
});

test('further submissions while one runs send nothing', async () => {
  const harness = aHarness();
  harness.press(order);
  harness.press(order);
  harness.press(other);
  await end(harness);
  expect(harness.calls).toEqual(['createPledge key-1', 'setUp pledge-of-key-1']);
});

test('with an incomplete card no pledge is created', async () => {
  const harness = aHarness({
    card: { ...aHarness().ports.card, check: () => Promise.resolve('incomplete') },
  });
  harness.press(order);
  expect((await end(harness)).name).toBe('invalid');
  expect(harness.calls).toEqual([]);
});

test('after a refused card the same pledge can be paid with another card', async () => {
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

test('changed content releases the unpaid pledge first and uses a new idempotency key', async () => {
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

describe('support that is not paid yet', () => {
  const { pledge_meta: meta } = order.newPledge;
  const typedAnew = {
    ...order,
    newPledge: { ...order.newPledge, pledge_meta: { ...meta, email: 'c@d.fi' } },
  };
  const refusedCard = {
    check: () => Promise.resolve('complete' as const),
    confirm: (): Promise<CardOutcome> => Promise.resolve({ kind: 'refused', status: 'generic' }),
  };
  const begun = ['createPledge key-1', 'setUp pledge-of-key-1', 'correct pledge-of-key-1'];

  test('is corrected and paid when only who pays is typed anew', async () => {
    const asked: string[] = [];
    const harness = aHarness({
      card: refusedCard,
      correct: (pledge_id, { newPledge }) => {
        asked.push(newPledge.pledge_meta.email);
        return Promise.resolve({ data: aPledge({ pledge_id, status: 'created' }) });
      },
    });
    harness.press(order);
    await end(harness);
    harness.press(typedAnew);
    expect((await end(harness)).name).toBe('awaitingCard');
    expect(harness.calls).toEqual(begun);
    expect(asked).toEqual(['c@d.fi']);
  });

  test('is not corrected but made anew when it costs something else', async () => {
    const harness = aHarness({ card: refusedCard, correct: () => Promise.resolve(refused('generic')) });
    harness.press(order);
    await end(harness);
    harness.press(other);
    await end(harness);
    expect(harness.calls).not.toContain('correct pledge-of-key-1');
    expect(harness.calls).toContain('releasePledge pledge-of-key-1');
  });

  test('stays when a corrected field is not good, which is said at the field', async () => {
    const fields: ApiError['fields'] = [{ path: 'email', rule: 'email', message: 'Sähköposti?' }];
    const error: ApiError = { status: 'invalid_fields', http: 400, fields };
    const harness = aHarness({
      card: refusedCard,
      correct: () => Promise.resolve(failed(error)),
    });
    harness.press(order);
    await end(harness);
    harness.press(typedAnew);
    expect(await end(harness)).toMatchObject({ name: 'failed', failure: { error: { fields } } });
    expect(harness.calls).toEqual(begun);
    // Pressed again it is corrected again, and nothing is released or made.
    harness.press({
      ...typedAnew,
      newPledge: { ...typedAnew.newPledge, pledge_meta: { ...meta, email: 'e@f.fi' } },
    });
    expect(await end(harness)).toMatchObject({ name: 'failed', failure: { error: { fields } } });
    expect(harness.calls).toEqual([...begun, 'correct pledge-of-key-1']);
  });

  test.each([
    ['is down', 'unavailable', 503],
    ['lost the answer', 'invalid_response', 0],
  ])('stays when the service %s, and is corrected again whatever is typed then', async (_, status, http) => {
    let isDown = true;
    const harness = aHarness({
      card: refusedCard,
      correct: (pledge_id) =>
        Promise.resolve(isDown ? refused(status, http) : { data: aPledge({ pledge_id, status: 'created' }) }),
    });
    harness.press(order);
    await end(harness);
    harness.press(typedAnew);
    expect(await end(harness)).toMatchObject({
      name: 'awaitingCard',
      failure: { error: { status: status === 'invalid_response' ? 'not_charged' : status } },
      unpaid: { isUnsure: true },
    });
    expect(harness.calls).toEqual([...begun, 'payment pledge-of-key-1']);
    isDown = false;
    // As it was typed first: the lost correction may have been made.
    harness.press(order);
    expect((await end(harness)).name).toBe('awaitingCard');
    expect(harness.calls.filter((call) => call.startsWith('correct'))).toHaveLength(2);
  });

  test('is not paid again when its address is fixed, because it has been paid meanwhile', async () => {
    const fields: ApiError['fields'] = [{ path: 'email', rule: 'fixed', message: '' }];
    const harness = aHarness({
      card: refusedCard,
      correct: () => Promise.resolve(failed({ status: 'invalid_fields', http: 400, fields })),
    });
    harness.press(order);
    await end(harness);
    harness.press(typedAnew);
    expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-of-key-1' });
    expect(harness.calls).toEqual(begun);
  });

  test('is made anew when it has ended meanwhile, and not paid again when it was paid', async () => {
    const ended = aHarness({
      card: refusedCard,
      correct: () => Promise.resolve(refused('not_found', 404)),
    });
    ended.press(order);
    await end(ended);
    ended.press(typedAnew);
    await end(ended);
    expect(ended.calls).toContain('createPledge key-2');
    window.sessionStorage.clear();

    const paid = aHarness({
      card: refusedCard,
      correct: (pledge_id) => Promise.resolve({ data: aPledge({ pledge_id, status: 'paid' }) }),
    });
    paid.press(order);
    await end(paid);
    paid.press(typedAnew);
    expect((await end(paid)).name).toBe('succeeded');
    expect(paid.calls).toEqual(begun);
  });
});

test.each([
  ['paid', 'pledge_already_paid'],
  ['being paid', 'pledge_settling'],
])('if releasing the earlier pledge shows that it is %s, nothing is paid again', async (_, status) => {
  const harness = aHarness({ releasePledge: () => Promise.resolve(refused(status)) });
  harness.ports.submissions.begin(contentOf(other));
  harness.ports.submissions.made('pledge-before');
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'pledge-before' });
  expect(harness.calls).toEqual(['releasePledge pledge-before']);
});

test('after a lost response the request is repeated with the same idempotency key', async () => {
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

test('after a refusal a new idempotency key is used', async () => {
  const harness = aHarness({ createPledge: () => Promise.resolve(refused('reward_gone')) });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { at: 'pledge', error: { status: 'reward_gone' } } });
  harness.press(order);
  await end(harness);
  expect(harness.calls).toEqual(['createPledge key-1', 'createPledge key-2']);
});

test('if the idempotent replay returns an expired pledge, a new one is created', async () => {
  const harness = aHarness({
    createPledge: (_order, key) =>
      Promise.resolve({ data: aPledge({ pledge_id: key, status: key === 'old' ? 'expired' : 'created' }) }),
  });
  window.sessionStorage.setItem(
    'tk-pledge-submission-3',
    JSON.stringify({ key: 'old', content: contentOf(order) }),
  );
  harness.press(order);
  expect(await end(harness)).toEqual({ name: 'succeeded', pledgeId: 'key-1' });
});

test('after a lost confirmation the server decides whether it was paid', async () => {
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

test('after too many refused cards that is said, and the next submission creates a new pledge', async () => {
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

test('the hosted page is requested again five times, after the pauses that the server asks for', async () => {
  const harness = aHarness({ openPage: () => Promise.resolve({ data: { retryAfter: 2_000 } }) });
  harness.press({ ...order, method: 'page' });
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'payment_page_failed' } } });
  expect(harness.calls.filter((act) => act.startsWith('openPage'))).toHaveLength(1 + pageRetries);
  expect(harness.calls.filter((act) => act === 'wait 2000')).toHaveLength(pageRetries);
});

test('the browser is sent to the hosted page', async () => {
  const harness = aHarness();
  harness.press({ ...order, method: 'page' });
  expect(await end(harness)).toEqual({ name: 'redirecting', url: 'https://pay.example/1' });
  expect(harness.calls).toContain('leaveFor https://pay.example/1');
});

test('a sign-in precedes the pledge and fills in the name; if it fails, nothing else is sent', async () => {
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

test('a pledge whose backer has left the sign-in, or the page, is not sent', async () => {
  const account = { kind: 'existing', email: 'a@b.fi', password: 'salasana' } as const;
  const left = aHarness({ openAccount: () => Promise.resolve({ data: undefined }) });
  left.press(order, account);
  expect((await end(left)).name).toBe('invalid');

  const gone = aHarness({
    openAccount: () => {
      gone.store.dispatch(happened({ visit: 'visit', event: { type: 'signInOver' } }));
      return Promise.resolve({ data: aUser() });
    },
  });
  gone.press(order, account);
  await end(gone);
  await new Promise((resolve) => setTimeout(resolve));
  expect([...left.calls, ...gone.calls].filter((call) => call.startsWith('createPledge'))).toEqual([]);
});

test('a missing client secret is a configuration error', async () => {
  const harness = aHarness({ setUp: () => Promise.resolve({ data: { clientSecret: '' } }) });
  harness.press(order);
  expect(await end(harness)).toMatchObject({ failure: { error: { status: 'configuration_error' } } });
});
