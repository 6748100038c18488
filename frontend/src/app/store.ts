import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import type { ApiExtra } from '../api/baseQuery';
import { content } from '../api/content';
import { paymentsApi } from '../api/payments';
import { readerSignedIn, readerSignedOut } from '../api/reader';
import { reducer, type State } from '../api/reducer';
import { restoreSession, sessionEnded, storeSession } from '../api/session';
import type { AppDispatch } from '../api/useAppDispatch';
import { tokenLifetime } from '../domain/session';

/** What the store needs from the browser, see ApiExtra. */
export interface StoreParts extends ApiExtra {
  storage: Storage;
}

/** Creates the store and restores the stored session. What it needs of the browser is injected, for the tests. */
export function makeStore({ storage, ...extra }: StoreParts) {
  const listener = createListenerMiddleware<State, AppDispatch>();
  const store = configureStore({
    reducer,
    preloadedState: { session: restoreSession(storage, extra.now) },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra satisfies ApiExtra } })
        .prepend(listener.middleware)
        .concat(content.middleware, paymentsApi.middleware),
  });

  listener.startListening({
    predicate: (_, state, before) => state.session !== before.session,
    effect: (_, api) => {
      const { session } = api.getState();
      storeSession(storage, session);
      const before = api.getOriginalState().session.user;
      if (session.user?.user_id === before?.user_id) return;
      api.dispatch(before ? readerSignedOut(before) : readerSignedIn());
    },
  });

  return store;
}

/** Signs out when the token expires while the page is open. Returns the function that stops watching. */
export function watchExpiry(store: AppStore, now: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watched: number | undefined;
  const check = () => {
    const storedAt = store.getState().session.token?.timestamp;
    if (storedAt === watched) return;
    clearTimeout(timer);
    watched = storedAt;
    if (storedAt !== undefined) {
      timer = setTimeout(
        () => store.dispatch(sessionEnded('expired')),
        Math.max(0, storedAt + tokenLifetime - now()),
      );
    }
  };
  const unsubscribe = store.subscribe(check);
  check();
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

export type AppStore = ReturnType<typeof makeStore>;
