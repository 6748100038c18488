/** A webpack loader that keeps of the table of pages only what the router reads; the rest is for the server. */
module.exports = function loadPages(source) {
  return JSON.stringify(JSON.parse(source).map(({ path, name, paint }) => ({ path, name, paint })));
};
