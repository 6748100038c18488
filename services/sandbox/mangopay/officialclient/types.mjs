// Holds values to the types that the official client declares: what is missing, of another type, no value of its enum, or unknown there.
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const root = path.dirname(createRequire(import.meta.url).resolve('mangopay4-nodejs-sdk/package.json'));

// declared gives the types of names like payIn.CardDirectPayInData, each a namespace and a type of the client's typings.
function declared(names) {
  const file = path.join(root, 'typings', 'named.ts');
  const spaces = [...new Set(names.map((name) => name.split('.')[0]))];
  const text =
    spaces.map((space) => `import { ${space} } from "./models/${moduleOf(space)}";\n`).join('') +
    names.map((name, i) => `export type T${i} = ${name};\n`).join('');
  const options = { lib: ['lib.es2020.d.ts'], types: [], skipLibCheck: true, strict: true };
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
  const found = new Map();
  program.getSourceFile(file).forEachChild((node) => {
    if (ts.isTypeAliasDeclaration(node)) {
      found.set(names[Number(node.name.text.slice(1))], types.getTypeAtLocation(node));
    }
  });
  return { types, found };
}

// checker tells the differences between a value and a type of these names.
export function checker(names) {
  const { types, found } = declared(names);
  return (name, value) => differences(types, found.get(name), value, '');
}

// ofTheCall are fields that the client's callers give so that it knows which call to make, or that are in the path.
const ofTheCall = ['Id', 'PersonType', 'NaturalSca', 'LegalSca', 'PaymentType', 'ExecutionType', 'MandateType', 'Type'];

// shapesOf gives the fields of calls' bodies; calls maps each call to the names of its body's types.
export function shapesOf(calls) {
  const { types, found } = declared([...new Set(Object.values(calls).flat())]);
  const out = {};
  for (const [call, names] of Object.entries(calls)) {
    const shapes = names.map((name) => shape(types, found.get(name)));
    const all = Object.assign({}, ...shapes.map((one) => one.fields));
    for (const name of Object.keys(all)) {
      const everywhere = shapes.every((one) => one.fields[name]?.required);
      const isOfCall = ofTheCall.includes(name) && !(name === 'Type' && call.includes('documents'));
      all[name] = { ...all[name], required: everywhere && !isOfCall ? true : undefined };
    }
    out[call] = { kind: 'object', fields: sorted(all) };
  }
  return out;
}

function sorted(fields) {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Of longer lists, such as those of countries, a shape says that they are texts.
const longestEnum = 40;

function shape(types, type) {
  if (type.isUnion() && !(type.flags & ts.TypeFlags.BooleanLike)) {
    const parts = type.types.filter((part) => !(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
    if (parts.every((part) => part.isStringLiteral())) {
      const values = parts.map((part) => part.value).sort();
      return values.length > longestEnum ? { kind: 'string' } : { kind: 'string', enum: values };
    }
    // Of a class, its data and a text, the data are what is sent.
    const isClass = (part) => types.getPropertyOfType(part, 'toJSON') !== undefined;
    const data = parts.filter((part) => part.flags & ts.TypeFlags.Object && !isClass(part));
    return shape(types, data[0] ?? parts[0]);
  }
  if (type.isStringLiteral()) {
    return { kind: 'string', enum: [type.value] };
  }
  for (const [flag, kind] of [
    [ts.TypeFlags.BooleanLike, 'boolean'],
    [ts.TypeFlags.StringLike, 'string'],
    [ts.TypeFlags.NumberLike, 'number'],
  ]) {
    if (type.flags & flag) {
      return { kind };
    }
  }
  if (type.flags & ts.TypeFlags.Any || type.getStringIndexType?.()) {
    return { kind: 'any' };
  }
  if (types.isArrayType(type) || types.isTupleType(type)) {
    return { kind: 'list', item: shape(types, types.getTypeArguments(type)[0]) };
  }
  const fields = {};
  for (const field of types.getPropertiesOfType(type)) {
    if (field.flags & ts.SymbolFlags.Method) continue;
    const isOptional = Boolean(field.flags & ts.SymbolFlags.Optional);
    fields[field.name] = {
      ...shape(types, types.getTypeOfSymbol(field)),
      required: isOptional ? undefined : true,
    };
  }
  return { kind: 'object', fields: sorted(fields) };
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
  for (const [flag, name] of [
    [ts.TypeFlags.StringLike, 'string'],
    [ts.TypeFlags.NumberLike, 'number'],
  ]) {
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
