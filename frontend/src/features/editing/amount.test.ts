import { parseCents } from '../../domain/amounts';
import { amountFault, formatMinorUnits } from './amount';

test.each([
  ['fi', 2_400_000, '24 000'],
  ['sv', 650, '6,50'],
  ['en', 650, '6.50'],
  ['en', 2_400_000, '24000'],
] as const)('in %s, %d cents are formatted as %s and parsed back', (language, minor, written) => {
  expect(formatMinorUnits(minor, language).replace(/\s/g, ' ')).toBe(written);
  expect(parseCents(formatMinorUnits(minor, language))).toBe(minor);
});

test.each(['6,5', '6.5'])('%s is valid in every language', (typed) => expect(parseCents(typed)).toBe(650));

test.each(['', 'x', '6,505', '-1', '1.2.3'])('"%s" is not a valid amount', (typed) =>
  expect(parseCents(typed)).toBeUndefined(),
);

test.each([
  ['99999999999', { key: 'atMost', params: { max: 100_000_000 } }],
  ['100000001', { key: 'atMost', params: { max: 100_000_000 } }],
  ['-5', { key: 'minValue', params: { min: 0 } }],
  ['5,555', { key: 'decimal', params: { places: 2 } }],
  ['x', { key: 'decimal', params: { places: 2 } }],
  ['', undefined],
  ['100 000 000', undefined],
])('%s: %j is wrong with it', (typed, fault) => {
  expect(amountFault(typed)).toEqual(fault);
});
