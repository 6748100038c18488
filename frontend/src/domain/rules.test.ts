import { loadAllTexts } from '../../test/texts';
import { makeI18n } from '../i18n';
import en from '../i18n/en.json';
import fi from '../i18n/fi.json';
import sv from '../i18n/sv.json';
import * as rules from './rules';

type Check = () => rules.Fault | undefined;

const file = (name: string, type: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type });

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
    ok(rules.email, 'leena.h+1@posti.fi', ''),
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
  ['alpha', ok(rules.alpha, 'Äijä'), bad(rules.alpha, 'a1'), 'Vain kirjaimia.', 'Letters only.'],
  [
    'alphaNum',
    ok(rules.alphaNum, 'Äijä1'),
    bad(rules.alphaNum, 'a-1'),
    'Vain kirjaimia ja numeroita.',
    'Letters and digits only.',
  ],
  [
    'alphaDash',
    ok(rules.alphaDash, 'a-1_ö'),
    bad(rules.alphaDash, 'a b'),
    'Vain kirjaimia, numeroita, yhdysmerkkejä ja alaviivoja.',
    'Letters, digits, hyphens and underscores only.',
  ],
  [
    'alphaSpaces',
    ok(rules.alphaSpaces, 'Aino Inkeri'),
    bad(rules.alphaSpaces, 'Aino 2'),
    'Letters and spaces only.',
    'Letters and spaces only.',
  ],
  [
    'url',
    ok(rules.url, 'https://talkoot.fi/x', 'http://a.fi'),
    bad(rules.url, 'javascript:alert(1)'),
    'Osoitteen alussa on oltava https:// tai http://.',
    'The address has to start with https:// or http://.',
  ],
  [
    'ip',
    ok(rules.ip, '192.168.1.1', '::1', '2001:db8::2'),
    bad(rules.ip, '256.1.1.1'),
    'Tämä ei ole IP-osoite.',
    'This is not an IP address.',
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
  ['maxValue', ok(rules.maxValue(14), '14'), bad(rules.maxValue(14), '15'), 'At most 14.', 'At most 14.'],
  ['atMost', ok(rules.atMost(14), '14'), bad(rules.atMost(14), '15'), 'Enintään 14.', 'At most 14.'],
  ['numeric', ok(rules.numeric, '012'), bad(rules.numeric, '1.5'), 'Vain numeroita.', 'Digits only.'],
  [
    'between',
    ok(rules.between(1, 5), '1', '5'),
    bad(rules.between(1, 5), '6'),
    'Arvon on oltava väliltä 1–5.',
    'The value has to be between 1 and 5.',
  ],
  [
    'digits',
    ok(rules.digits(4), '0042'),
    bad(rules.digits(4), '042'),
    'Tarvitaan tasan 4 numeroa.',
    'Exactly 4 digits are needed.',
  ],
  [
    'decimal',
    ok(rules.decimal(2), '1,25', '-3'),
    bad(rules.decimal(2), '1,255'),
    'Luku, jossa on enintään 2 desimaalia.',
    'A number with at most 2 decimals.',
  ],
  [
    'creditCard',
    ok(rules.creditCard, '4242 4242 4242 4242'),
    bad(rules.creditCard, '4242 4242 4242 4241'),
    'Check the card number.',
    'Check the card number.',
  ],
  [
    'postcode',
    ok(rules.postcodeOf('FI'), '72400', '00 100', 'FI-00100'),
    bad(rules.postcodeOf('FI'), '7240'),
    'Postinumerossa on viisi numeroa.',
    'A postcode has five digits.',
  ],
  [
    'dimensions',
    [
      () => rules.dimensions(800, 500)({ width: 800, height: 500 }, {}),
      () => rules.dimensions(1, 1)(null, {}),
    ],
    () => rules.dimensions(800, 500)({ width: 799, height: 500 }, {}),
    'Kuvan on oltava vähintään 800 × 500 kuvapistettä.',
    'The picture has to be at least 800 × 500 pixels.',
  ],
  [
    'image',
    [() => rules.image(file('a.webp', 'image/webp'), {}), () => rules.image(null, {})],
    () => rules.image(file('a.svg', 'image/svg+xml'), {}),
    'Kuvan on oltava JPEG, PNG, GIF tai WebP.',
    'The picture has to be JPEG, PNG, GIF or WebP.',
  ],
  [
    'ext',
    [() => rules.ext(['jpg', 'png'])(file('A.JPG', ''), {})],
    () => rules.ext(['jpg', 'png'])(file('a.gif', ''), {}),
    'Tiedoston päätteen on oltava jokin näistä: jpg, png.',
    "The file's ending has to be one of these: jpg, png.",
  ],
  [
    'mimes',
    [() => rules.mimes(['image/png'])(file('a', 'image/png'), {})],
    () => rules.mimes(['image/png'])(file('a', 'text/plain'), {}),
    'Tiedoston muodon on oltava jokin näistä: image/png.',
    "The file's type has to be one of these: image/png.",
  ],
  [
    'size',
    [() => rules.size(1)(file('a', '', 1023), {})],
    () => rules.size(1)(file('a', '', 1024), {}),
    'Tiedoston on oltava pienempi kuin 1 kt.',
    'The file has to be smaller than 1 kB.',
  ],
  [
    'dateFormat',
    ok(rules.dateFormat, '2028-02-29'),
    bad(rules.dateFormat, '2027-02-29'),
    'Päivä muodossa vvvv-kk-pp.',
    'A date as yyyy-mm-dd.',
  ],
  [
    'dateBetween',
    ok(rules.dateBetween('2026-01-01', '2026-01-31'), '2026-01-01', '2026-01-31'),
    bad(rules.dateBetween('2026-01-01', '2026-01-31'), '2026-02-01'),
    'Päivän on oltava väliltä 2026-01-01–2026-01-31.',
    'The date has to be between 2026-01-01 and 2026-01-31.',
  ],
  [
    'before',
    ok(rules.before('2026-01-02'), '2026-01-01'),
    bad(rules.before('2026-01-02'), '2026-01-02'),
    'Päivän on oltava ennen 2026-01-02.',
    'The date has to be before 2026-01-02.',
  ],
  [
    'after',
    ok(rules.after('2026-01-02'), '2026-01-03'),
    bad(rules.after('2026-01-02'), '2026-01-02'),
    'Päivän on oltava 2026-01-02 jälkeen.',
    'The date has to be after 2026-01-02.',
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
  const tested = table.map(([key]) => key);
  for (const key of promised) {
    expect(tested).toContain(key);
    const messages = [fi, en, sv].map(({ rules: texts }) => texts[key as rules.RuleKey]);
    expect([key, new Set(messages).size]).toEqual([key, 3]);
  }
  for (const key of alwaysEnglish) {
    expect(tested).toContain(key);
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
