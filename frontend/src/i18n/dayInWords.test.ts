import { dayInWords } from './dayInWords';

test.each([
  ['fi', 'pe 22. tammikuuta 2027'],
  ['en', 'Fri 22 January 2027'],
  ['sv', 'fre 22 januari 2027'],
] as const)('a day in words in %s', (language, words) => {
  expect(dayInWords(language, '2027-01-22').replace(/[,.]? (?=22)/, ' ')).toBe(words);
});
