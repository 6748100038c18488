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
