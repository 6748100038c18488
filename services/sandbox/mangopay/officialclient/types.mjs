// Holds values to the types that the official client declares: what is missing, of another type, no value of its enum, or unknown there.
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const root = path.dirname(createRequire(import.meta.url).resolve('mangopay4-nodejs-sdk/package.json'));

// checker takes names like payIn.CardDirectPayInData, each a namespace and a type of the client's typings.
export function checker(names) {
  const file = path.join(root, 'typings', 'named.ts');
  const spaces = [...new Set(names.map((name) => name.split('.')[0]))];
  const modules = Object.fromEntries(spaces.map((space) => [space, moduleOf(space)]));
  const text =
    spaces.map((space) => `import { ${space} } from "./models/${modules[space]}";\n`).join('') +
    names.map((name, i) => `export type T${i} = ${name};\n`).join('');
  const options = { noLib: false, lib: ['lib.es2020.d.ts'], types: [], skipLibCheck: true, strict: true };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2020) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const types = program.getTypeChecker();
  const wrong = program.getSemanticDiagnostics(program.getSourceFile(file));
  if (wrong.length) {
    throw new Error(wrong.map((d) => ts.flattenDiagnosticMessageText(d.messageText, ' ')).join('\n'));
  }
  const declared = new Map();
  program.getSourceFile(file).forEachChild((node) => {
    if (ts.isTypeAliasDeclaration(node)) {
      declared.set(names[Number(node.name.text.slice(1))], types.getTypeAtLocation(node));
    }
  });
  return (name, value) => differences(types, declared.get(name), value, '');
}

// Modules are named as their namespaces, but for these.
function moduleOf(space) {
  return { cardPreAuthorization: 'cardPreauthorization' }[space] ?? space;
}

function differences(types, type, value, at) {
  if (value === null || type.flags & ts.TypeFlags.Any) {
    return []; // anything may be null, which the typings do not say
  }
  if (type.isUnion()) {
    const parts = type.types.filter((part) => !(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
    const found = parts.map((part) => differences(types, part, value, at)).sort((a, b) => a.length - b.length);
    if (found[0].length && parts.every((part) => part.isStringLiteral())) {
      return [`${at}: ${JSON.stringify(value)} is none of ${parts.map((part) => part.value).join(', ')}`];
    }
    return found[0];
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) {
    return value === type.value ? [] : [`${at}: ${JSON.stringify(value)} is not ${type.value}`];
  }
  if (type.flags & ts.TypeFlags.BooleanLike) {
    const only = type.intrinsicName === 'boolean' ? undefined : type.intrinsicName === 'true';
    const fits = typeof value === 'boolean' && (only === undefined || only === value);
    return fits ? [] : [`${at}: ${JSON.stringify(value)} is not ${type.intrinsicName}`];
  }
  for (const [flag, name] of [[ts.TypeFlags.StringLike, 'string'], [ts.TypeFlags.NumberLike, 'number']]) {
    if (type.flags & flag) {
      return typeof value === name ? [] : [`${at}: ${JSON.stringify(value)} is no ${name}`];
    }
  }
  if (types.isArrayType(type) || types.isTupleType(type)) {
    if (!Array.isArray(value)) {
      return [`${at}: ${JSON.stringify(value)} is no list`];
    }
    const item = types.getTypeArguments(type)[0];
    return value.flatMap((one, i) => differences(types, item, one, `${at}[${i}]`));
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return [`${at}: ${JSON.stringify(value)} is no object`];
  }
  if (type.getStringIndexType()) {
    return [];
  }
  const fields = new Map(types.getPropertiesOfType(type).map((field) => [field.name, field]));
  const out = [];
  for (const [name, field] of fields) {
    const below = at ? `${at}.${name}` : name;
    if (!(name in value)) {
      if (!(field.flags & ts.SymbolFlags.Optional)) {
        out.push(`${below}: is missing`);
      }
      continue;
    }
    out.push(...differences(types, types.getTypeOfSymbol(field), value[name], below));
  }
  for (const name of Object.keys(value)) {
    if (!fields.has(name)) {
      out.push(`${at ? `${at}.` : ''}${name}: is unknown`);
    }
  }
  return out;
}
