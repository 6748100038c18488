import { webcrypto } from 'node:crypto';
import { assign } from './assignment';

beforeAll(() => Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true }));

// The test vectors of proto-docs/flows/variations.md. The server's test has the same.
test.each<[string, number, number[], number]>([
  ['0123456789abcdefghijklmnop', 1, [1], 1],
  ['zzzzzzzzzzzzzzzzzzzzzzzzzz', 1, [1], 1],
  ['5n3v0w7k2d9q8x1c4b6m0r2t8y', 42, [7, 8, 9], 0],
  ['5n3v0w7k2d9q8x1c4b6m0r2t8y', 42, [7], 0],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaa', 1234567, [11, 12, 13, 14], 14],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaa', 1234567, [], 0],
])(
  'the visitor %s of campaign %i with the variations %j sees %i',
  async (visitor, campaign, variations, seen) => {
    expect(await assign(visitor, campaign, variations)).toBe(seen);
  },
);
