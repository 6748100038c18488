// Compiles each module once in a worker, not once in each test file: Jest gives the same text to V8 again for every
// file, which then knows nothing of what it had already compiled.
const vm = require('node:vm');

const { compileFunction } = vm;
const kept = new Map();

/** The module as a function, in this file's own globals; only its compiled code is shared. */
function keptFunction(source, parameters, { filename, parsingContext }) {
  const key = `${filename}\n${parameters}`;
  const known = kept.get(key);
  if (known?.source === source) return known.script.runInContext(parsingContext);
  const head = `(function(${parameters}){`;
  const script = new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  kept.set(key, { source, script });
  return script.runInContext(parsingContext);
}

vm.compileFunction = (source, parameters, options) =>
  options?.parsingContext && !/\.test\.tsx?$/.test(options.filename)
    ? keptFunction(source, parameters, options)
    : compileFunction(source, parameters, options);
