import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter } from 'react-router-dom';
import { now } from '../../test/clock';
import { noPageData } from '../api/pageData';
import { languages } from '../domain/languages';
import { makeI18n } from '../i18n';
import { App } from './App';
import { RouteErrorPage } from './ErrorPages';
import { makeStore } from './store';

const titles = { fi: 'Sivu ei auennut', en: 'The page did not open', sv: 'Sidan öppnades inte' };

test.each(languages)(
  'an app that failed before its texts were there (%s) shows words, no keys',
  async (language) => {
    const Broken = () => {
      throw new Error('the texts did not load');
    };
    const router = createMemoryRouter([{ path: '/', Component: Broken, ErrorBoundary: RouteErrorPage }]);
    const store = makeStore({ now: () => now, page: noPageData(), language: () => language });
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    render(<App store={store} i18n={makeI18n(language)} router={router} />);
    await act(async () => Promise.resolve());
    expect(screen.getByRole('heading', { name: titles[language] })).toBeVisible();
    expect(document.title).toBe(`${titles[language]} – Talkoot`);
    expect(screen.getByRole('button')).toBeVisible();
    expect(document.body).not.toHaveTextContent(/[a-z]\.[a-z]/i);
  },
);
