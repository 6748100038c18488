// A Jest transform for Mantine's index, which loads its 800 modules in every test file: each is loaded when its first
// export is used.
const crypto = require('node:crypto');
const fs = require('node:fs');

const module_ = /^const (\w+) = require\("(\.\/.+)"\);$/gm;
const reexport = /^exports\.(\w+) = (\w+)\.(\w+);$/gm;

const lazy = (name, file, key) => `Object.defineProperty(exports, "${name}", {
  configurable: true,
  enumerable: true,
  get() {
    const value = require("${file}").${key};
    Object.defineProperty(exports, "${name}", { enumerable: true, value });
    return value;
  },
});`;

module.exports = {
  process(source) {
    const files = new Map([...source.matchAll(module_)].map(([, variable, file]) => [variable, file]));
    const code = source
      .replace(module_, '')
      .replace(/^require\("\.\/.+"\);$/gm, '')
      .replace(reexport, (_, name, variable, key) => lazy(name, files.get(variable), key));
    return { code };
  },
  getCacheKey: (source) =>
    crypto.createHash('sha256').update(source).update(fs.readFileSync(__filename)).digest('hex'),
};
