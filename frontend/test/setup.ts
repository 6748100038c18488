import '@testing-library/jest-dom';
import { format } from 'node:util';
import { server } from './server';

// jsdom has no media queries and draws nothing; both schemes and both widths are checked in a real browser. Its reader
// wants no motion, so that no transition's timer outlives what a test waits for.
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

// What the console is told is a fault of the test or of the app: a call that no test answers, a state that changes behind
// React's back, a key that is missing.
const said: string[] = [];
// How long a check of the store took says something about the machine only.
const timingNoise = /^(Immutable|Serializable)StateInvariantMiddleware took/;
// eslint-disable-next-line no-console
console.error = (...parts: unknown[]) => {
  const text = format(...parts);
  if (!timingNoise.test(text)) said.push(text);
};
console.warn = console.error; // eslint-disable-line no-console

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  const told = said.splice(0);
  server.resetHandlers();
  window.localStorage.clear();
  expect(told).toEqual([]);
});
afterAll(() => server.close());
