import { delay, http, HttpResponse } from 'msw';
import { content, server } from '../../test/server';
import { aUser } from '../../test/builders';
import { makeStore, watchSession } from '../app/store';
import { tokenLifetime } from '../domain/session';
import { content as calls } from './content';
import { resolveError } from './errors';
import { own } from './own';
import { noPageData, normalizeAddress } from './pageData';
import { selectEnd, selectUser, sessionEnded, signedIn } from './session';

const { categories } = calls.endpoints;
const start = 1_000_000;

function storeAt(now: () => number, page = noPageData()) {
  return makeStore({ now, page, language: () => 'sv' });
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

test('what is the reader’s own is not asked for again when their session ends over it', async () => {
  const seen: (string | null)[] = [];
  let now = start;
  const store = storeAt(() => now);
  server.use(
    http.get(content('/users/me/menu/'), ({ request }) => {
      seen.push(request.headers.get('Authorization'));
      now += tokenLifetime;
      store.dispatch(sessionEnded('expired'));
      return HttpResponse.json({ status: 'token_expired', message: '', request_id: 'r' }, { status: 401 });
    }),
  );
  signIn(store);
  const { error } = await store.dispatch(own.endpoints.ownMenu.initiate());
  expect(seen).toEqual(['Bearer abc']);
  expect(error).toMatchObject({ status: 'token_expired' });
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

describe('while the page is open', () => {
  let time = start;
  let stop: () => void;
  const open = () => {
    const store = storeAt(() => time);
    stop = watchSession(store, () => time);
    signIn(store);
    return store;
  };
  const endOf = (store: ReturnType<typeof open>) => selectEnd(store.getState());
  /** What the browser tells this tab when another one has written. */
  const hear = (newValue: string | null) =>
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'tk-session', newValue, storageArea: window.localStorage }),
    );
  beforeEach(() => {
    jest.useFakeTimers();
    time = start;
  });
  afterEach(() => {
    stop();
    jest.useRealTimers();
    window.sessionStorage.clear();
  });

  test('the session ends after 12 hours', () => {
    const store = open();
    time += tokenLifetime - 1;
    jest.advanceTimersByTime(60_000);
    expect(endOf(store)).toBeUndefined();
    time += 1;
    jest.advanceTimersByTime(60_000);
    expect(endOf(store)).toBe('expired');
    expect(window.localStorage.getItem('tk-session')).toBeNull();
  });

  test('a device that slept over the end ends the session when the page is seen again', () => {
    const store = open();
    time += 2 * tokenLifetime;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(endOf(store)).toBe('expired');
  });

  test('signing out in another tab signs out here and removes what was typed', () => {
    const store = open();
    window.sessionStorage.setItem('tk-pledge-draft-3', '{}');
    hear('signed-out');
    hear(null);
    expect(endOf(store)).toBe('signedOut');
    expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBeNull();
  });

  test('a session that ends in another tab ends here, and what was typed stays', () => {
    const store = open();
    window.sessionStorage.setItem('tk-pledge-draft-3', '{}');
    hear(null);
    expect(endOf(store)).toBe('expired');
    expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBe('{}');
  });

  test('signing in in another tab signs in here', () => {
    const store = open();
    hear(null);
    hear(JSON.stringify({ token: { string: 'new', timestamp: time }, user: aUser() }));
    expect(selectUser(store.getState())?.user_id).toBe(7);
    expect(endOf(store)).toBeUndefined();
  });

  test('other tabs hear of a sign-out, but not of the end of a session, that it was a sign-out', () => {
    const written = jest.spyOn(Storage.prototype, 'setItem');
    const first = open();
    first.dispatch(sessionEnded('expired'));
    expect(written).not.toHaveBeenCalledWith('tk-session', 'signed-out');
    signIn(first);
    first.dispatch(sessionEnded('signedOut'));
    expect(written).toHaveBeenCalledWith('tk-session', 'signed-out');
    expect(window.localStorage.getItem('tk-session')).toBeNull();
    written.mockRestore();
  });

  test('a tab whose session ends late leaves a session that somebody has begun in another tab', () => {
    const store = open();
    const next = JSON.stringify({ token: { string: 'new', timestamp: time }, user: aUser({ user_id: 8 }) });
    window.localStorage.setItem('tk-session', next);
    store.dispatch(sessionEnded('expired'));
    expect(window.localStorage.getItem('tk-session')).toBe(next);
  });
});

test('what a tab has kept of somebody whose session expired is not for the next person', () => {
  const store = storeAt(() => start);
  signIn(store);
  window.sessionStorage.setItem('tk-pledge-draft-3', '{}');
  store.dispatch(sessionEnded('expired'));
  signIn(store);
  expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBe('{}');
  store.dispatch(sessionEnded('expired'));
  const reloaded = storeAt(() => start);
  reloaded.dispatch(signedIn({ token: { string: 'other', timestamp: start }, user: aUser({ user_id: 8 }) }));
  expect(window.sessionStorage.getItem('tk-pledge-draft-3')).toBeNull();
  window.sessionStorage.clear();
});

test('whoever comes back to an expired session is told that it is over', () => {
  signIn(storeAt(() => start));
  expect(selectEnd(storeAt(() => start + tokenLifetime).getState())).toBe('expired');
  expect(selectEnd(storeAt(() => start + tokenLifetime).getState())).toBeUndefined();
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
