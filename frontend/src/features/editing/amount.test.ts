import { minorOf, writtenMinor } from './amount';

test.each([
  ['fi', 2_400_000, '24 000'],
  ['sv', 650, '6,50'],
  ['en', 650, '6.50'],
  ['en', 2_400_000, '24000'],
] as const)('in %s %d cents are written %s, and read back as they are', (language, minor, written) => {
  expect(writtenMinor(minor, language).replace(/\s/g, ' ')).toBe(written);
  expect(minorOf(writtenMinor(minor, language))).toBe(minor);
});

test.each(['6,5', '6.5'])('%s is a sum in every language', (typed) => expect(minorOf(typed)).toBe(650));

test.each(['', 'x', '6,505', '-1', '1.2.3'])('"%s" is no sum', (typed) =>
  expect(minorOf(typed)).toBeUndefined(),
);
