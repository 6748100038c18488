import infoEn from '../features/info/en.json';
import infoFi from '../features/info/fi.json';
import infoSv from '../features/info/sv.json';
import en from './en.json';
import fi from './fi.json';
import pageParts from './pageParts.json';
import parts from './parts.json';
import sv from './sv.json';

/** Every text's key path and placeholders. */
function texts(value: unknown, path = ''): [string, string[]][] {
  if (typeof value === 'string') return [[path, (value.match(/{{[^}]+}}/g) ?? []).sort()]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    texts(inner, path ? `${path}.${key}` : key),
  );
}

test.each([
  ['English', en, fi],
  ['Swedish', sv, fi],
  ['English static pages', infoEn, infoFi],
  ['Swedish static pages', infoSv, infoFi],
])('%s has every key and every placeholder of Finnish', (_, catalogue, finnish) => {
  expect(Object.fromEntries(texts(catalogue))).toEqual(Object.fromEntries(texts(finnish)));
});

test('no text is empty', () => {
  for (const catalogue of [fi, en, sv]) expect(JSON.stringify(catalogue)).not.toContain('""');
});

test('every text is in exactly one part, and every part is loaded by some page or the menu of all', () => {
  expect(Object.values(parts).flat().sort()).toEqual(Object.keys(fi).sort());
  const fetched = new Set(['shell', 'menu', ...Object.values(pageParts).flat()]);
  expect([...fetched].sort()).toEqual([...Object.keys(parts), 'errors'].sort());
});

/** Every text by its key path. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

test.each([
  ['Finnish', /kokeilu/i, fi, infoFi],
  ['Swedish', /experiment/i, sv, infoSv],
])('in %s an experiment is named by one word', (_, word, catalogue, info) => {
  // Not what names a page.
  const named = ([key, text]: [string, string]) => !key.endsWith('.to') && /experiment/i.test(text);
  const translated = new Map([...flat(catalogue), ...flat(info, 'info')]);
  for (const [key] of [...flat(en), ...flat(infoEn, 'info')].filter(named))
    expect([key, translated.get(key)]).toEqual([key, expect.stringMatching(word)]);
});
