import { act, render } from '@testing-library/react';
import { createMemoryRouter } from 'react-router-dom';
import { noPageData, type PageData } from '../src/api/pageData';
import { signedIn, type LocalUser } from '../src/api/session';
import { App } from '../src/app/App';
import { makeRoutes } from '../src/app/routes';
import { makeStore } from '../src/app/store';
import { languageOf, makeI18n } from '../src/i18n';
import { now as testNow } from './clock';
import { aPointer } from './pointer';

/** Options of renderAt. */
export interface RenderOptions {
  /** The signed-in user; undefined: nobody is signed in. */
  user?: LocalUser;
  page?: PageData;
  /** Default: always the tests' `now`. */
  now?: () => number;
}

/** Renders the whole app at an address, with the real store and routes. */
export async function renderAt(address: string, options: RenderOptions = {}) {
  const { user, page = noPageData(), now = () => testNow } = options;
  const i18n = makeI18n();
  const store = makeStore({
    now,
    page,
    language: () => languageOf(i18n),
  });
  if (user) store.dispatch(signedIn({ token: { string: 'token', timestamp: now() }, user }));
  // A missing text fails the test.
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
  return { ...result, store, router, i18n, pointer: aPointer() };
}
