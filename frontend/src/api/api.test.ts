import { delay, http, HttpResponse } from 'msw';
import { content, server } from '../../test/server';
import { aUser } from '../../test/builders';
import { makeStore, watchExpiry } from '../app/store';
import { tokenLifetime } from '../domain/session';
import { content as calls } from './content';
import { resolveError } from './errors';
import { noPageData, normalizeAddress } from './pageData';
import { selectUser, signedIn } from './session';

const { categories } = calls.endpoints;
const start = 1_000_000;

function storeAt(now: () => number, page = noPageData()) {
  return makeStore({ storage: window.localStorage, now, page, language: () => 'sv' });
}

function signIn(store: ReturnType<typeof storeAt>) {
  store.dispatch(signedIn({ token: { string: 'abc', timestamp: start }, user: aUser() }));
}

/** Serves the categories and records the Authorization header of each request. */
function listen() {
  const seen: (string | null)[] = [];
  server.use(
    http.get(content('/campaigns/categories/'), ({ request }) => {
      seen.push(request.headers.get('Authorization'));
      return HttpResponse.json({ categories: [] });
    }),
  );
  return seen;
}

test('requests carry the bearer token only while somebody is signed in', async () => {
  const seen = listen();
  const store = storeAt(() => start);
  await store.dispatch(categories.initiate({}));
  signIn(store);
  await store.dispatch(categories.initiate({ language: 'fi' }));
  expect(seen).toEqual([null, 'Bearer abc']);
});

test('every request asks for the page’s language', async () => {
  const seen: (string | null)[] = [];
  server.use(
    http.get(content('/campaigns/categories/'), ({ request }) => {
      seen.push(request.headers.get('Accept-Language'));
      return HttpResponse.json({ categories: [] });
    }),
  );
  await storeAt(() => start).dispatch(categories.initiate({}));
  expect(seen).toEqual(['sv']);
});

test('an expired token is not sent, and the person is signed out', async () => {
  const seen = listen();
  let now = start;
  const store = storeAt(() => now);
  signIn(store);
  now += tokenLifetime;
  await store.dispatch(categories.initiate({}));
  expect(seen).toEqual([null]);
  expect(selectUser(store.getState())).toBeNull();
});

test('a read without a response fails after 20 seconds, so that no skeleton stays for ever', async () => {
  server.use(http.get(content('/campaigns/categories/'), () => delay('infinite')));
  const later = jest.spyOn(globalThis, 'setTimeout');
  const asked = storeAt(() => start).dispatch(categories.initiate({}));
  await Promise.resolve();
  const [giveUp] = later.mock.calls.find(([, pause]) => pause === 20_000) ?? [];
  later.mockRestore();
  (giveUp as () => void)();
  expect((await asked).error).toEqual({ status: 'invalid_response', http: 0 });
});

test('the session is restored after a reload, but not after 12 hours', () => {
  signIn(storeAt(() => start));
  expect(selectUser(storeAt(() => start + 1).getState())?.user_id).toBe(7);
  expect(selectUser(storeAt(() => start + tokenLifetime).getState())).toBeNull();
  expect(window.localStorage.getItem('tk-session')).toBeNull();
});

test('a page that stays open signs out after 12 hours', () => {
  jest.useFakeTimers();
  const store = storeAt(() => start);
  const stop = watchExpiry(store, () => start);
  signIn(store);
  jest.advanceTimersByTime(tokenLifetime - 1);
  expect(selectUser(store.getState())).not.toBeNull();
  jest.advanceTimersByTime(1);
  expect(selectUser(store.getState())).toBeNull();
  stop();
  jest.useRealTimers();
});

test('a request right after signing in is not aborted', async () => {
  server.use(
    http.post(content('/campaigns/3/likes/'), async () => {
      await delay(20);
      return HttpResponse.json({ likes: 1, liked: true });
    }),
  );
  const store = storeAt(() => start);
  signIn(store);
  const { data } = await store.dispatch(calls.endpoints.likeCampaign.initiate({ campaignId: 3 }));
  expect(data).toEqual({ likes: 1, liked: true });
});

test('a refused token ends the session', async () => {
  server.use(
    http.get(content('/campaigns/categories/'), () =>
      HttpResponse.json({ status: 'token_expired', message: '', request_id: 'r' }, { status: 401 }),
    ),
  );
  const store = storeAt(() => start);
  signIn(store);
  await store.dispatch(categories.initiate({}));
  expect(selectUser(store.getState())).toBeNull();
});

test('a response that came with the page is used once, for any spelling of its address', async () => {
  const seen = listen();
  const page = noPageData();
  page.responses.set(normalizeAddress('/content/campaigns/categories?language=fi'), {
    categories: [{ id: 1, label: 'Ruoka' }],
  });
  const store = storeAt(() => start, page);
  const first = await store.dispatch(categories.initiate({ language: 'fi' }));
  const second = await store.dispatch(categories.initiate({ language: 'fi' }, { forceRefetch: true }));
  expect(first.data?.categories).toHaveLength(1);
  expect(second.data?.categories).toHaveLength(0);
  expect(seen).toHaveLength(1);
});

test.each([
  [
    'an error from the catalogue',
    HttpResponse.json({ status: 'reward_gone', message: 'm', request_id: 'r' }, { status: 409 }),
    'reward_gone',
  ],
  ['a response that is not JSON', new HttpResponse('<html>', { status: 502 }), 'invalid_response'],
  ['no response', HttpResponse.error(), 'invalid_response'],
])('%s becomes an ApiError', async (_, answer, status) => {
  server.use(http.get(content('/campaigns/categories/'), () => answer));
  const { error } = await storeAt(() => start).dispatch(categories.initiate({}));
  expect(error).toMatchObject({ status });
});

describe('the text of an error', () => {
  const texts = {
    reward_gone: 'Loppu.',
    card_declined: 'Kortti ei käynyt.',
    payment_failed: 'Maksu ei mennyt.',
  };

  test('comes from the catalogue', () =>
    expect(resolveError({ status: 'reward_gone', http: 409 }, texts, 'Rewards')).toBe('Loppu.'));

  test('is that of its code, if the catalogue has a text for the code', () => {
    const declined = { status: 'payment_failed', code: 'card_declined', http: 402 };
    expect(resolveError(declined, texts, 'Pay')).toBe('Kortti ei käynyt.');
  });

  test('is otherwise the server’s message with the component and the status', () => {
    expect(resolveError({ status: 'odd', message: 'Huh.', http: 500 }, texts, 'Rewards')).toBe(
      'Huh. (Rewards: odd)',
    );
  });
});
