import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router-dom';
import { noPageData, type PageData } from '../src/api/pageData';
import { signedIn, type LocalUser } from '../src/api/session';
import { App } from '../src/app/App';
import { makeRoutes } from '../src/app/routes';
import { makeStore } from '../src/app/store';
import { languageOf, makeI18n } from '../src/i18n';
import { now as testNow } from './clock';

export interface RenderOptions {
  /** Signed in as this person; without one a stranger. */
  user?: LocalUser;
  page?: PageData;
  /** Without one it is always the tests' now. */
  now?: () => number;
}

/** Starts the whole app at an address, with the real store and router. */
export async function renderAt(address: string, options: RenderOptions = {}) {
  const { user, page = noPageData(), now = () => testNow } = options;
  const i18n = makeI18n();
  const store = makeStore({
    storage: window.localStorage,
    now,
    page,
    language: () => languageOf(i18n),
  });
  if (user) store.dispatch(signedIn({ token: { string: 'token', timestamp: now() }, user }));
  // A missing text is a mistake, not something to show.
  i18n.options.saveMissing = true;
  i18n.options.missingKeyHandler = (_languages, _namespace, key) => {
    throw new Error(`No text for ${key}`);
  };
  const router = createMemoryRouter(makeRoutes(store, i18n), { initialEntries: [address] });
  await new Promise<void>((resolve) => {
    if (router.state.initialized) {
      resolve();
      return;
    }
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
  const result = render(<App store={store} i18n={i18n} router={router} />);
  await act(async () => Promise.resolve());
  return { ...result, store, router, i18n, pointer: userEvent.setup() };
}
