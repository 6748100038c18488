import fs from 'node:fs';
import path from 'node:path';
import { changeLanguage, makeI18n } from '.';
import { formatDay } from './format';

const root = path.resolve(__dirname, '../../..');
const mails = path.join(root, 'services/content/internal/mail/mails/templates');

/** All that people read in a language: the app, its static pages, errors of the services and mails. */
function textsIn(language: string): [string, string][] {
  const app = ['src/i18n', 'src/features/info', 'src/features/auth/security'].map((folder) =>
    path.join(root, 'frontend', folder, `${language}.json`),
  );
  const files = [
    ...app,
    ...fs
      .readdirSync(mails)
      .filter((name) => name.startsWith(`${language}.`))
      .map((name) => path.join(mails, name)),
  ];
  const errors = fs.readFileSync(path.join(root, 'proto-docs/errors.yaml'), 'utf8');
  const ofErrors = [...errors.matchAll(new RegExp(`\\b${language}: (.*?)(?:, \\w\\w: |\\}?$)`, 'gm'))];
  return [
    ...files.flatMap((file) =>
      fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .map((line): [string, string] => [path.basename(file), line]),
    ),
    ...ofErrors.map(([, text = '']): [string, string] => ['errors.yaml', text]),
  ];
}

/** Words that are not the house's for a thing that has one, with that one. What stands in `unless` is another thing. */
const others: [string, RegExp, string, RegExp?][] = [
  [
    'fi',
    /tunnist(?:e|ee)(?:t|n|ita|iden|illa|ssa)?\b/i,
    'avainsana',
    /vero|lisä|nimi|"(?:number|tin|noTin)"|tunnisteemme/i,
  ],
  ['fi', /\bluok(?:ka|at|kaa|an|kien|ista)\b/i, 'aihe'],
  ['sv', /(?<![a-zåäö])stödjar/i, 'understödjare'],
  ['sv', /gillning sparas/, 'gilla-markering'],
  ['en', /passed the payment on/, 'handled the payment'],
  ['en', /Ended as well|Look and delete|Make an address|Chosen, go on|has just shown to be/, 'plain English'],
];

test.each(others)('in %s, %s is another word for %s', (...[language, other, , unless]) => {
  const texts = textsIn(language);
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter(([, text]) => other.test(text) && !unless?.test(text))).toEqual([]);
});

test.each(['fi', 'en', 'sv'] as const)('in %s no sentence ends with two full stops', async (language) => {
  const texts = makeI18n();
  await changeLanguage(texts, language);
  texts.addResourceBundle(language, 'translation', {
    plain: 'By {{day}}.',
    first: 'By {{day}}. Then more.',
    marked: 'By <b>{{day}}</b>. Then more.',
    open: 'By {{day}}... and on',
  });
  const day = formatDay(language, '2026-12-05');
  const bare = day.replace(/\.$/, '');
  // The keys are this test’s own.
  const say = texts.t.bind(texts) as unknown as (key: string, values: { day: string }) => string;
  expect(say('plain', { day })).toBe(`By ${bare}.`);
  expect(say('first', { day })).toBe(`By ${bare}. Then more.`);
  expect(say('marked', { day }).replace(/<\/?b>/g, '')).toBe(`By ${bare}. Then more.`);
  expect(say('open', { day })).toBe(`By ${day}... and on`);
});
