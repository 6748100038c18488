import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAllTexts } from '../../test/texts';
import { makeI18n } from '../i18n';
import en from '../i18n/en.json';
import fi from '../i18n/fi.json';
import sv from '../i18n/sv.json';
import * as rules from './rules';

type Check = () => rules.Fault | undefined;

// Per rule: its key, valid values, an invalid one, and the message in Finnish and in English.
const table: [string, Check[], Check, string, string][] = [
  [
    'required',
    [() => rules.required('x', {}), () => rules.required(0, {})],
    () => rules.required('  ', {}),
    'Tämä tarvitaan.',
    'This is needed.',
  ],
  [
    'email',
    ok(rules.email, 'leena.h+1@posti.fi', '\u202aleena@posti.fi\u00a0\u202c', ''),
    bad(rules.email, 'leena@posti'),
    'Tarkista sähköpostiosoite.',
    'Check the email address.',
  ],
  [
    'minLength',
    ok(rules.minLength(3), 'äöå'),
    bad(rules.minLength(3), '👍👍'),
    'Vähintään 3 merkkiä.',
    'At least 3 characters.',
  ],
  [
    'maxLength',
    ok(rules.maxLength(2), '👍👍'),
    bad(rules.maxLength(2), 'abc'),
    'Enintään 2 merkkiä.',
    'At most 2 characters.',
  ],
  [
    'regex',
    ok(rules.regex(/^a+$/), 'aaa'),
    bad(rules.regex(/^a+$/), 'b'),
    'Tämä ei ole oikeassa muodossa.',
    'This is not in the right form.',
  ],
  [
    'minValue',
    ok(rules.minValue(1), '1', '1,5'),
    bad(rules.minValue(1), '0,5'),
    'Vähintään 1.',
    'At least 1.',
  ],
  ['atMost', ok(rules.atMost(14), '14'), bad(rules.atMost(14), '15'), 'Enintään 14.', 'At most 14.'],
  ['numeric', ok(rules.numeric, '012'), bad(rules.numeric, '1.5'), 'Vain numeroita.', 'Digits only.'],
  [
    'decimal',
    ok(rules.decimal(2), '1,25', '-3'),
    bad(rules.decimal(2), '1,255'),
    'Luku, jossa on enintään 2 desimaalia.',
    'A number with at most 2 decimals.',
  ],
  [
    'postcode',
    ok(rules.postcodeOf('FI'), '72400', '00 100', 'FI-00100', '\u206672\u00a0400\u2069'),
    bad(rules.postcodeOf('FI'), '7240'),
    'Postinumerossa on viisi numeroa.',
    'A postcode has five digits.',
  ],
  [
    'confirmed',
    [() => rules.confirmed<{ p: string }>((v) => v.p)('a', { p: 'a' })],
    () => rules.confirmed<{ p: string }>((v) => v.p)('a', { p: 'b' }),
    'Salasanat eivät ole samat.',
    'The passwords are not the same.',
  ],
  [
    'differs',
    [() => rules.differs<{ p: string }>((v) => v.p)('a', { p: 'b' })],
    () => rules.differs<{ p: string }>((v) => v.p)('a', { p: 'a' }),
    'Uuden salasanan on oltava eri kuin vanha.',
    'The new password has to differ from the old one.',
  ],
];

function ok(rule: rules.Rule<string>, ...values: string[]): Check[] {
  return values.map((value) => () => rule(value, {}));
}

function bad(rule: rules.Rule<string>, value: string): Check {
  return () => rule(value, {});
}

describe.each(table)('%s', (key, kept, broken, finnish, english) => {
  test('accepts valid values', () => {
    for (const check of kept) expect(check()).toBeUndefined();
  });

  test('has a message in the language of the page', async () => {
    const fault = broken();
    expect(fault?.key).toBe(key);
    const i18n = makeI18n();
    await loadAllTexts(i18n, 'fi');
    expect(i18n.t(`rules.${fault!.key}`, fault!.params ?? {})).toBe(finnish);
    await loadAllTexts(i18n, 'en');
    expect(i18n.t(`rules.${fault!.key}`, fault!.params ?? {})).toBe(english);
  });
});

// The rules whose messages the platform promises, and the three of them that are English on every page.
const promised = [
  ...['required', 'email', 'minLength', 'maxLength', 'alpha', 'alphaNum', 'alphaDash', 'url', 'ip', 'regex'],
  ...['minValue', 'numeric', 'between', 'digits', 'decimal', 'dimensions', 'image', 'ext', 'mimes', 'size'],
  ...['dateFormat', 'dateBetween', 'before', 'after', 'confirmed'],
];
const alwaysEnglish = ['alphaSpaces', 'creditCard', 'maxValue'];

test('every promised rule has a message of its own in three languages, and three stay English', () => {
  for (const key of promised) {
    const messages = [fi, en, sv].map(({ rules: texts }) => texts[key as rules.RuleKey]);
    expect([key, new Set(messages).size]).toEqual([key, 3]);
  }
  for (const key of alwaysEnglish) {
    const messages = [fi, en, sv].map(({ rules: texts }) => texts[key as rules.RuleKey]);
    expect(messages).toEqual(Array(3).fill(en.rules[key as rules.RuleKey]));
  }
});

test('combined rules report the first that is broken', () => {
  const rule = rules.all(rules.required, rules.email);
  expect(rule('', {})).toEqual({ key: 'required' });
  expect(rule('x', {})).toEqual({ key: 'email' });
  expect(rule('a@b.fi', {})).toBeUndefined();
});

test('a rule is written where a form asks it, and nowhere else', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('.test.') && name !== join('domain', 'rules.ts'),
  );
  const asked = new Set(
    files.flatMap((name) =>
      [
        ...readFileSync(join('src', name), 'utf8').matchAll(
          /import \{([^}]*)\} from '[^']*(?:domain|\.)\/rules'/g,
        ),
      ].flatMap(([, names = '']) => names.split(',').map((one) => one.trim())),
    ),
  );
  expect(Object.keys(rules).filter((name) => !asked.has(name))).toEqual([]);
});
