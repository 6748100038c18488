// The mock of CSS modules: every class name is its key.
module.exports = new Proxy(
  {},
  { get: (_, key) => (key === '__esModule' ? false : key === 'default' ? module.exports : String(key)) },
);
