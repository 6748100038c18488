import '@testing-library/jest-dom';
import { cleanup, configure } from '@testing-library/react';
import { format } from 'node:util';
import { server, untilQuiet } from './server';

// findBy and waitFor also wait for lazily loaded chunks, which takes more than their default of a second on a busy
// machine.
configure({ asyncUtilTimeout: 10_000 });

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

// Console errors and warnings fail the test: they report unhandled requests, state changes outside act() or missing
// keys.
const messages: string[] = [];
// Redux Toolkit's development checks warn when they are slow, which depends on the machine.
const timingNoise = /^(Immutable|Serializable)StateInvariantMiddleware took/;
// eslint-disable-next-line no-console
console.error = (...parts: unknown[]) => {
  const text = format(...parts);
  if (!timingNoise.test(text)) messages.push(text);
};
console.warn = console.error; // eslint-disable-line no-console

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(async () => {
  // A page that unmounts still sends what was typed last; the handlers of its own test must answer that.
  cleanup();
  await untilQuiet();
  const logged = messages.splice(0);
  server.resetHandlers();
  window.localStorage.clear();
  expect(logged).toEqual([]);
});
afterAll(() => server.close());
