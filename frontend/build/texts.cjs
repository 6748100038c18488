// The texts of a language are one file in the source, but pages load only the parts that they show. This file splits
// them, for webpack and for the tests.
const fs = require('node:fs');
const path = require('node:path');
const parts = require('../src/i18n/parts.json');

const languages = ['fi', 'en', 'sv'];
const i18nFolder = path.resolve(__dirname, '../src/i18n');
const errorsFile = path.resolve(__dirname, '../src/api/errors.generated.json');

/** The texts of one part. */
function partOf(catalogue, part) {
  const keys = parts[part];
  if (!keys) throw new Error(`No part of the texts is named ${part}.`);
  return Object.fromEntries(keys.map((key) => [key, catalogue[key]]));
}

/** The error catalogue in one language, below the key `errors`. */
function errorsIn(catalogue, language) {
  return {
    errors: Object.fromEntries(Object.entries(catalogue).map(([key, texts]) => [key, texts[language]])),
  };
}

/** A webpack loader, for imports such as `fi.json?part=pledge` and `errors.generated.json?language=fi`. */
module.exports = function loadPart(source) {
  const query = new URLSearchParams(this.resourceQuery);
  const catalogue = JSON.parse(source);
  const part = query.get('part');
  this.addDependency(path.join(i18nFolder, 'parts.json'));
  return JSON.stringify(part ? partOf(catalogue, part) : errorsIn(catalogue, query.get('language')));
};

/** Writes every part as a file, for Jest, which has no loaders with queries. */
module.exports.writeParts = function writeParts(folder) {
  const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
  const write = (name, value) => {
    const file = path.join(folder, name);
    const text = JSON.stringify(value);
    if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) fs.writeFileSync(file, text);
  };
  fs.mkdirSync(folder, { recursive: true });
  for (const language of languages) {
    const catalogue = read(path.join(i18nFolder, `${language}.json`));
    for (const part of Object.keys(parts)) write(`${language}.${part}.json`, partOf(catalogue, part));
    write(`errors.${language}.json`, errorsIn(read(errorsFile), language));
  }
};
