import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// TypeScript and the linter see a use in a test like any other: what only tests use would be kept alive by them.

const product = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .map((file) => ({
    file,
    code: readFileSync(path.join(__dirname, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, ''),
  }));

/** How often each word stands in the product's code. */
const counts = new Map<string, number>();
for (const { code } of product)
  for (const word of code.match(/[\w$]+/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);

/** What the router asks of a page's module. */
const ofPages = ['Component', 'load'];

test('whatever is exported is used by the product', () => {
  const exported = product
    .filter(({ file }) => !file.includes('.generated.'))
    .flatMap(({ file, code }) =>
      Array.from(
        code.matchAll(/^export (?:default )?(?:async )?(?:function|const|class) (\w+)/gm),
        ([, name = '']) => ({ file, name }),
      ),
    );
  expect(exported.length).toBeGreaterThan(500);
  const unused = exported.filter(({ name }) => !ofPages.includes(name) && counts.get(name) === 1);
  expect(unused).toEqual([]);
});
