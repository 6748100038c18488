import { align, differ } from './wordDiff';

const said = (before: string, now: string) =>
  differ(before, now)
    .map(({ is, text }) => (is === 'same' ? text : is === 'del' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

test.each([
  ['Bees on the roof', 'Honey bees on the roof', '[-Bees-][+Honey bees+] on the roof'],
  ['at most six go up', 'at most four go up', 'at most [-six-][+four+] go up'],
  ['', 'New', '[+New+]'],
  ['Old', '', '[-Old-]'],
  ['same', 'same', 'same'],
  ['a b', 'a b c', 'a b[+ c+]'],
  ['a a a', 'a a', 'a a[- a-]'],
])('%s → %s', (before, now, expected) => {
  expect(said(before, now)).toBe(expected);
});

test('whatever was changed, both texts can be read from the difference', () => {
  const make = (seed: number) =>
    Array.from({ length: 30 }, (_, at) => 'abc'[(seed * (at + 7) * 31 + at) % 3]).join(' ');
  for (let seed = 1; seed < 200; seed += 1) {
    const [before, now] = [make(seed), make(seed + 1)];
    const pieces = differ(before, now);
    const of = (kind: 'del' | 'ins') =>
      pieces
        .filter(({ is }) => is === 'same' || is === kind)
        .map(({ text }) => text)
        .join('');
    expect([of('del'), of('ins')]).toEqual([before, now]);
  }
});

test('paragraphs that stayed are told from the others', () => {
  expect(align(['one', 'two', 'three'], ['one', 'three', 'four']).map(({ is }) => is)).toEqual([
    'same',
    'del',
    'same',
    'ins',
  ]);
});
