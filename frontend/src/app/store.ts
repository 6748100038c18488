import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import type { ApiExtra } from '../api/baseQuery';
import type { Clock } from '../api/clock';
import { content } from '../api/content';
import { deviceStorage } from '../api/deviceStorage';
import { paymentsApi } from '../api/payments';
import { readerSignedIn, readerSignedOut } from '../api/reader';
import { reducer, type State } from '../api/reducer';
import {
  claimTab,
  clearPersonalData,
  readElsewhere,
  restoreSession,
  sessionEnded,
  storeSession,
} from '../api/session';
import type { AppDispatch } from '../api/useAppDispatch';
import { isLive } from '../domain/session';

/** Creates the store and restores the stored session. What else it needs of the browser is injected, for the tests. */
export function makeStore(extra: ApiExtra) {
  const listener = createListenerMiddleware<State, AppDispatch>();
  const store = configureStore({
    reducer,
    preloadedState: { session: restoreSession(extra.now) },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: extra } })
        .prepend(listener.middleware)
        .concat(content.middleware, paymentsApi.middleware),
  });

  listener.startListening({
    predicate: (_, state, before) => state.session !== before.session,
    effect: (_, api) => {
      const { session } = api.getState();
      const { session: before } = api.getOriginalState();
      storeSession(session, before);
      if (session.user) claimTab(session.user);
      else if (session.ended === 'signedOut') clearPersonalData();
      if (session.user?.user_id === before.user?.user_id) return;
      if (before.user) api.dispatch(readerSignedOut(before.user));
      if (session.user) api.dispatch(readerSignedIn());
    },
  });
  const { user } = store.getState().session;
  if (user) claimTab(user);

  return store;
}

/** How often it is looked whether the session is over, in milliseconds. */
const checkPause = 15_000;

/**
 * Ends the session when its time is up while the page is open, and follows sign-ins and sign-outs in other tabs. Returns
 * the function that stops watching.
 */
export function watchSession(store: AppStore, now: Clock): () => void {
  const check = () => {
    const { token } = store.getState().session;
    if (token && !isLive(token.timestamp, now())) store.dispatch(sessionEnded('expired'));
  };
  const follow = (event: StorageEvent) => {
    const action = deviceStorage.isIn(event) && readElsewhere(event, now);
    if (action) store.dispatch(action);
  };
  // Not one timer until the end, because timers stand still while a device sleeps.
  const timer = setInterval(check, checkPause);
  document.addEventListener('visibilitychange', check);
  window.addEventListener('storage', follow);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
    window.removeEventListener('storage', follow);
  };
}

export type AppStore = ReturnType<typeof makeStore>;
