import { format } from 'node:util';

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

/** Fails the test if anything was reported since the last call. */
export function expectSilence() {
  expect(messages.splice(0)).toEqual([]);
}
