import { languages } from '../domain/languages';
import { changeLanguage, makeI18n } from '.';
import { progressText } from './progressText';

test.each([
  [3_186, 3_200, '100% · €14 to go'],
  [3_199.6, 3_200, '100% · €0.40 to go'],
  [3_200, 3_200, '100%'],
  [3_210, 3_200, '100%'],
  [3_250, 3_200, '102%'],
  [3_180, 3_200, '99%'],
  [0, 0, '0%'],
])('%s of %s reads %s', async (reached, goal, words) => {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  expect(progressText({ reached, goal }, i18n.t, 'en')).toBe(words);
});

test.each(languages)('in %s, 100 % before the goal is reached has what is missing', async (language) => {
  const i18n = makeI18n();
  await changeLanguage(i18n, language);
  expect(progressText({ reached: 3_186, goal: 3_200 }, i18n.t, language)).toMatch(/^100.* · .*14/);
});
