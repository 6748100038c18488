import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// A class that a component names and its stylesheet lacks is an empty attribute that nobody notices, and one that nobody
// names is dead weight.

const source = path.resolve(__dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) =>
  path.join(source, file),
);
const read = (file: string) => readFileSync(file, 'utf8');

/** Classes that a stylesheet defines, those of the library and of :global left out. */
function definedIn(stylesheet: string): Set<string> {
  const text = read(stylesheet)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/:global\([^)]*\)/g, '')
    .replace(/url\([^)]*\)|'[^']*'|"[^"]*"/g, '');
  return new Set(Array.from(text.matchAll(/\.([A-Za-z][\w-]*)/g), (match) => match[1] ?? ''));
}

interface Use {
  stylesheet: string;
  /** Undefined when a value chooses the class, a variant say: then any may be meant. */
  name?: string;
  at: string;
}

const uses: Use[] = files
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => {
    const text = read(file);
    const body = text.replace(/^import .*;$/gm, '');
    return Array.from(text.matchAll(/import (\w+) from '(\..*?\.module\.css)'/g)).flatMap(
      ([, local = '', sheet = '']) =>
        Array.from(body.matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|\\[)`, 'g')), ([, name]) => ({
          stylesheet: path.resolve(path.dirname(file), sheet),
          name,
          at: path.relative(source, file),
        })),
    );
  });

test('no component names a class that its stylesheet does not have', () => {
  const unknown = uses.filter(({ stylesheet, name }) => name && !definedIn(stylesheet).has(name));
  expect(unknown.map(({ at, name }) => `${at}: ${name}`)).toEqual([]);
});

test('no stylesheet has a class that nobody names', () => {
  const unnamed = files
    .filter((file) => file.endsWith('.module.css'))
    .flatMap((stylesheet) => {
      const names = uses.filter((use) => use.stylesheet === stylesheet).map(({ name }) => name);
      if (names.includes(undefined)) return [];
      const left = [...definedIn(stylesheet)].filter((name) => !names.includes(name));
      return left.map((name) => `${path.relative(source, stylesheet)}: ${name}`);
    });
  expect(unnamed).toEqual([]);
});
