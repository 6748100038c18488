// What React Router's own code keeps in the bundle although nothing here uses it: components that no bundler may drop,
// because their names are assigned; prefetching, which works only in its framework mode; actions and fetchers, since
// what is written here goes through the API's mutations (the linter refuses Form, useFetcher and useSubmit); and its
// instrumentation. About 6 kB of a first visit.
const cuts = [
  [/^(NavLink|Form)\.displayName = ".*";$/gm, ''],
  [/^var (NavLink|Form) = (?=\w+\.forwardRef\()/gm, 'var $1 = /* @__PURE__ */ '],
  [/shouldPrefetch && !isAbsolute(?= \?)/g, 'false'],
  [/(?<!function )isMutationMethod\([\w.]+\)/g, 'false'],
  [/^ +fetch: fetch2,$/gm, ''],
  [/if \((init|opts\?)\.instrumentations\)/g, 'if (false)'],
];

/** A webpack loader for React Router's production files. Fails when a release no longer has what it cuts. */
module.exports = function cutRouter(source) {
  if (!source.includes('function PrefetchPageLinks(')) return source; // Another of its files.
  return cuts.reduce((text, [pattern, replacement]) => {
    if (text.search(pattern) < 0)
      throw new Error(`React Router no longer has ${pattern}: see build/router.cjs.`);
    return text.replace(pattern, replacement);
  }, source);
};
