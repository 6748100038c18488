import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// TypeScript and the bundler do not check class names: a misspelt one styles nothing, an unused one is dead code.

const source = path.resolve(__dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) =>
  path.join(source, file),
);
const read = (file: string) => readFileSync(file, 'utf8');

/** The classes that a stylesheet defines, without those in :global(). */
function definedIn(stylesheet: string): Set<string> {
  const text = read(stylesheet)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/:global\([^)]*\)/g, '')
    .replace(/url\([^)]*\)|'[^']*'|"[^"]*"/g, '');
  return new Set(Array.from(text.matchAll(/\.([A-Za-z][\w-]*)/g), (match) => match[1] ?? ''));
}

interface Use {
  stylesheet: string;
  /** Undefined for a computed name, such as classes[variant], which may be any. */
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

test('components use only classes that their stylesheet defines', () => {
  const unknown = uses.filter(({ stylesheet, name }) => name && !definedIn(stylesheet).has(name));
  expect(unknown.map(({ at, name }) => `${at}: ${name}`)).toEqual([]);
});

test('every design token that is defined is used', () => {
  const sheets = files.filter((file) => /\.(css|tsx?)$/.test(file)).map(read);
  const used = new Set(
    sheets.flatMap((text) => Array.from(text.matchAll(/var\((--tk-[\w-]+)/g), ([, name]) => name)),
  );
  const defined = Array.from(
    read(path.join(source, 'styles/tokens.css')).matchAll(/^\s*(--tk-[\w-]+):/gm),
    ([, name]) => name,
  );
  expect(defined.length).toBeGreaterThan(50);
  expect([...new Set(defined)].filter((name) => !used.has(name))).toEqual([]);
});

test('stylesheets define only classes that a component uses', () => {
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
