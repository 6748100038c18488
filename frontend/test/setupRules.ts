import { expectSilence } from './console';

// Rules need no network, so none is faked for them: whatever is requested fails the test.
globalThis.fetch = (input) => {
  const address = input instanceof Request ? input.url : String(input);
  console.error(`A rule requested ${address}; tests of that are named *.test.tsx`); // eslint-disable-line no-console
  return Promise.reject(new TypeError('Failed to fetch'));
};

afterEach(expectSilence);
