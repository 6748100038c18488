import { makeI18n } from '.';
import en from './en.json';
import fi from './fi.json';
import sv from './sv.json';

test.each([
  ['fi', fi, '4.12.', 'Kerromme viimeistään 4.12.'],
  ['en', en, '4 Dec', 'We will tell by 4 Dec.'],
  ['sv', sv, '4 december', 'Vi berättar senast 4 december.'],
] as const)('a sentence that ends with a day ends with one stop in %s', (language, texts, day, sentence) => {
  const instance = makeI18n(language);
  instance.addResourceBundle(language, 'translation', texts);
  expect(instance.t('hold.tellsOn', { day })).toBe(sentence);
  expect(instance.t('hold.tellsOn', { day: 'jatkuu...' })).toMatch(/jatkuu\.{4}$/);
});
