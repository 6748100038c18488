// What queries by role and by label ask of jsdom most, answered without computing it anew for every element. Reads
// parts of jsdom that it does not publish; quickDocument.test.tsx compares the answers with jsdom's own.
const cssom = require('rrweb-cssom');

const shown = ['display', 'visibility', 'opacity', 'pointer-events'];

/** A stylesheet with only what decides whether an element is shown. Rules in a row that say the same are one. */
function shownOnly(css) {
  const merged = [];
  for (const { selectorText, style } of cssom.parse(css).cssRules) {
    const names = shown.filter((name) => style?.[name]);
    if (names.length === 0) continue;
    const text = names.map((name) => `${name}: ${style[name]}`).join('; ');
    const last = merged.at(-1);
    if (last?.text === text) last.selectors.push(selectorText);
    else merged.push({ text, selectors: [selectorText] });
  }
  return merged.map(({ text, selectors }) => `${selectors.join()} { ${text} }`).join('\n');
}

// A browser's own sheet has 120 rules, each of which jsdom tries on every element that is looked at. Without layout
// nobody reads its margins and fonts. Has to be set before jsdom is loaded, which parses it once.
const sheet = require.resolve('jsdom/lib/jsdom/browser/default-stylesheet');
const whole = require(sheet);
require.cache[sheet].exports = shownOnly(whole);

const { domSymbolTree } = require('jsdom/lib/jsdom/living/helpers/internal-constants');
const { isLabelable } = require('jsdom/lib/jsdom/living/helpers/form-controls');
const { getDeclarationForElement, getResolvedValue } = require('jsdom/lib/jsdom/living/helpers/style-rules');
const { implForWrapper, wrapperForImpl } = require('jsdom/lib/jsdom/living/generated/utils');

const inherited = new Set(['visibility', 'pointer-events']);
const quick = new Map(
  shown.flatMap((name) => [
    [name, name],
    [name.replace(/-(.)/, (_, c) => c.toUpperCase()), name],
  ]),
);

/** Computes what decides whether an element is shown when it is read, and all else as jsdom does. */
function quickenStyles(window) {
  const compute = window.getComputedStyle;
  window.getComputedStyle = function (element, pseudo) {
    const impl = implForWrapper(element);
    if (pseudo || !impl?._attached) return compute.call(window, element, pseudo);
    const value = (name) =>
      inherited.has(name)
        ? getResolvedValue(impl, name)
        : getDeclarationForElement(impl).getPropertyValue(name);
    let all;
    return new Proxy(
      {},
      {
        get(_, key) {
          const name = quick.get(key);
          if (name) return value(name);
          if (key === 'getPropertyValue' && !all)
            return (asked) =>
              shown.includes(asked) ? value(asked) : compute.call(window, element).getPropertyValue(asked);
          all ??= compute.call(window, element);
          const found = all[key];
          return typeof found === 'function' ? found.bind(all) : found;
        },
      },
    );
  };
}

const labelled = ['Button', 'Input', 'Meter', 'Output', 'Progress', 'Select', 'TextArea'];

/** Labels of all controls at once, until the document changes: jsdom walks the whole document for each control. */
function quickenLabels(window) {
  const known = new WeakMap();
  const labelsIn = (root) => {
    const found = known.get(root);
    if (found?.version === root._version) return found.labels;
    const labels = new Map();
    const ids = new Map();
    const all = [];
    for (const node of domSymbolTree.treeIterator(root)) {
      if (node.nodeType !== 1) continue;
      const id = node.getAttributeNS(null, 'id');
      if (id !== null && !ids.has(id)) ids.set(id, node);
      if (node._localName === 'label') all.push(node);
    }
    for (const label of all) {
      const of = label.getAttributeNS(null, 'for');
      const control = of === null ? label.control : ids.get(of);
      if (control && of !== '' && isLabelable(control))
        labels.set(control, [...(labels.get(control) ?? []), wrapperForImpl(label)]);
    }
    known.set(root, { version: root._version, labels });
    return labels;
  };
  for (const name of labelled) {
    const { prototype } = window[`HTML${name}Element`];
    Object.defineProperty(prototype, 'labels', {
      ...Object.getOwnPropertyDescriptor(prototype, 'labels'),
      get() {
        const control = implForWrapper(this);
        if (!isLabelable(control)) return null;
        return labelsIn(control.getRootNode({})).get(control) ?? [];
      },
    });
  }
}

module.exports = { quickenStyles, quickenLabels };
