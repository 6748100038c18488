import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter } from 'react-router-dom';
import { noPageData } from '../src/api/pageData';
import { signedIn, type LocalUser } from '../src/api/session';
import { App } from '../src/app/App';
import { AccountHost } from '../src/app/AccountHost';
import { makeStore } from '../src/app/store';
import type { Language } from '../src/domain/languages';
import { changeLanguage, languageOf, makeI18n } from '../src/i18n';
import { loadTexts } from '../src/i18n/texts';
import { now } from './clock';
import { aPointer } from './pointer';

/** Options of renderPart. */
export interface PartOptions {
  /** The signed-in user; undefined: nobody is signed in. */
  user?: LocalUser;
  language?: Language;
}

/** Renders a component without a page, with the real store and the texts of editing. */
export async function renderPart(part: ReactNode, { user, language = 'fi' }: PartOptions = {}) {
  const i18n = makeI18n(language);
  await changeLanguage(i18n, language);
  await loadTexts(i18n, language, ['inner', 'forms', 'editing', 'errors']);
  const store = makeStore({
    now: () => now,
    page: noPageData(),
    language: () => languageOf(i18n),
  });
  if (user) store.dispatch(signedIn({ token: { string: 'token', timestamp: now }, user }));
  const element = (
    <>
      {part}
      <AccountHost />
    </>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  const result = render(<App store={store} i18n={i18n} router={router} />);
  await act(async () => Promise.resolve());
  return { ...result, store, router, pointer: aPointer() };
}
