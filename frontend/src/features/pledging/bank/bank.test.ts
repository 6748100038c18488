import { debitDays, debitSpan } from './debitDays';
import {
  bankOf,
  compactIban,
  ibanFault,
  ibanInFours,
  isWholeIban,
  payoutIbanFault,
} from '../../../domain/iban';
import { ibanLengths, sepaCountries } from '../../../domain/sepa';

test.each([
  ['FI21 1234 5600 0007 85', undefined],
  ['fi2112345600000785', undefined],
  ['FR76 3000 4000 0312 3456 7890 143', undefined],
  ['DE89-3704-0044-0532-0130-00', undefined],
  ['GB82 WEST 1234 5698 7654 32', undefined],
  ['NO93 8601 1117 947', undefined],
  ['\u202aFI21\u00a01234\u202f5600 0007 85\u202c', undefined],
  ['\ufefffi21 1234\u200b 5600 0007\u00ad 85', undefined],
  ['FI21\u20111234\u20115600\u20110007\u201185', undefined],
  ['IBAN: FI21 1234 5600 0007 85', undefined],
  ['FI21 1234 5600 0007 58', 'ibanDigits'],
  ['FI12 1234 5600 0007 85', 'ibanDigits'],
  ['FI21 1234 5600 0007 8', 'ibanForm'],
  ['FI21 1234 5600 0007 855', 'ibanForm'],
  ['1234 5600 0007 85', 'ibanForm'],
  ['FI21 1234 5600 0007 8ä', 'ibanForm'],
  ['US64 SVBK US6S 3300 9586 73', 'ibanCountry'],
  ['SE45 5000 0000 0583 9825 7466', 'ibanCountry'],
  ['', 'ibanForm'],
])('%s: %s', (typed, fault) => expect(ibanFault(typed)).toBe(fault));

test('an account that cannot be debited can be paid to all the same', () => {
  expect(payoutIbanFault('SE45 5000 0000 0583 9825 7466')).toBeUndefined();
  expect(payoutIbanFault('SE45 5000 0000 0583 9825 7467')).toBe('ibanDigits');
  expect(payoutIbanFault('US64 SVBK US6S 3300 9586 73')).toBe('ibanPayout');
});

test.each([
  'IBAN FI21 1234 5600 0007 85',
  'iban: fi21 1234 5600 0007 85',
  'FI21\u202f1234\u202f5600\u202f0007\u202f85',
  '\u202dFI21\u200b12345600000785\u202c',
  'FI21\u20111234\u20135600\u22120007.85',
])('as it is copied, %j is the number', (copied) => {
  expect(compactIban(copied)).toBe('FI2112345600000785');
  expect(ibanFault(copied)).toBeUndefined();
});

test('every digit that is mistyped in an account number is found', () => {
  const right = 'FI2112345600000785';
  for (let place = 2; place < right.length; place += 1)
    for (const digit of '0123456789')
      if (digit !== right[place])
        expect(ibanFault(right.slice(0, place) + digit + right.slice(place + 1))).toBe('ibanDigits');
});

test('a number is written in fours, and is whole once it has as many signs as its country’s', () => {
  expect(ibanInFours('fi21 12345600000785')).toBe('FI21 1234 5600 0007 85');
  expect(ibanInFours('IBAN \u2066FI21\u20691234\u00a05600 000785')).toBe('FI21 1234 5600 0007 85');
  expect(isWholeIban('FI21 1234 5600 0007 8')).toBe(false);
  expect(isWholeIban('FI21 1234 5600 0007 58')).toBe(true);
});

test.each([
  ['FI21 1234 5600 0007 85', 'Nordea'],
  ['FI21 1234 5600 0007 58', undefined],
  ['DE89 3704 0044 0532 0130 00', undefined],
])('the bank of %s is %s', (typed, bank) => expect(bankOf(typed)).toBe(bank));

test('the countries are the 39 whose accounts can be debited', () => {
  expect(new Set(sepaCountries).size).toBe(39);
  expect(sepaCountries).toEqual(expect.arrayContaining(['FI', 'CH', 'GB', 'VA', 'JE']));
  expect(ibanLengths.FI).toBe(18);
});

test.each([
  ['2026-11-20', { first: '2026-11-24', last: '2026-11-27' }], // a Friday
  ['2026-11-21', { first: '2026-11-24', last: '2026-11-27' }],
  ['2026-12-22', { first: '2026-12-24', last: '2026-12-30' }],
])('a debit of %s leaves the account two to five banking days later', (day, days) =>
  expect(debitDays(day)).toEqual(days),
);

test('the days of a debit are told in the reader’s way', () => {
  expect(debitSpan('fi', '2026-11-20')).toBe('24.–27.11.');
  expect(debitSpan('en', '2026-11-20')).toMatch(/^24.*27 Nov$/);
  expect(debitSpan('sv', '2026-11-20')).toMatch(/24.*27 november/);
});
