/** For the bundler: of the table of pages only what the router reads. The rest is the server's, and no visitor fetches it. */
module.exports = function loadPages(source) {
  return JSON.stringify(JSON.parse(source).map(({ path, name, paint }) => ({ path, name, paint })));
};
