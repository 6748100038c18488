import '@testing-library/jest-dom';
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { expectSilence } from './console';
import { answerLate } from './lateAnswers';
import { server, untilQuiet } from './server';

// findBy and waitFor also wait for lazily loaded chunks, which takes more than their default of a second on a busy
// machine. Each of their looks that finds nothing would print the whole document into an error that nobody sees; they
// print it once, when they give up.
configure(({ getElementError }) => ({
  asyncUtilTimeout: 10_000,
  getElementError(message, container) {
    const { _disableExpensiveErrorDiagnostics: looksAgain } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    if (!looksAgain || message === null) return getElementError(message, container);
    return Object.assign(new Error(message), { name: 'TestingLibraryElementError' });
  },
}));

// jsdom has no media queries and no layout; themes and widths are tested in a real browser (e2e). Reduced motion is on,
// so that no transition's timer outlives a test.
window.matchMedia = (query: string) =>
  ({
    matches: query === '(prefers-reduced-motion: reduce)',
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }) as unknown as MediaQueryList;
window.scrollTo = () => undefined;
window.HTMLElement.prototype.scrollIntoView = () => undefined;
window.ResizeObserver = class {
  observe() {
    return undefined;
  }
  unobserve() {
    return undefined;
  }
  disconnect() {
    return undefined;
  }
};

// React takes a stack trace for every element that it makes, to name the owner in its warnings; that is a quarter of a
// test's time. Beyond 10,000 a second it takes none.
Object.defineProperty(
  (React as unknown as { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object })
    .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,
  'recentlyCreatedOwnerStacks',
  { get: () => 10_000, set: () => undefined },
);

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  if (process.env.LATE_ANSWERS) answerLate(Number(process.env.LATE_ANSWERS));
});
afterEach(async () => {
  // A page that unmounts still sends what was typed last; the handlers of its own test must answer that.
  cleanup();
  await untilQuiet();
  server.resetHandlers();
  window.localStorage.clear();
  expectSilence();
});
afterAll(() => server.close());
