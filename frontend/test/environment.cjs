// jsdom with Node's fetch and streams, which jsdom hides. fetchBaseQuery and msw need them.
require('./keptScripts.cjs');
const { quickenStyles, quickenLabels } = require('./quickDocument.cjs');
const { TestEnvironment } = require('jest-environment-jsdom');

const fromNode = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'File',
  'Blob',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'CompressionStream',
  'DecompressionStream',
  'TextEncoder',
  'TextDecoder',
  'BroadcastChannel',
  'AbortController',
  'AbortSignal',
  'structuredClone',
  'URLSearchParams',
];

class BrowserWithNodeFetch extends TestEnvironment {
  constructor(config, context) {
    super({ ...config, projectConfig: withAddress(config.projectConfig) }, context);
    const { FormData: FormDataOfPage } = this.global;
    for (const name of fromNode) this.global[name] = globalThis[name];
    // Faster than jsdom's, which is JavaScript. Each file has its own URL, because tests add to it what Node lacks.
    this.global.URL = class URL extends globalThis.URL {};
    this.global.FormData = readingForms(FormDataOfPage);
    acceptNodeSignals(this.global.EventTarget.prototype);
    quickenStyles(this.global);
    quickenLabels(this.global);
    quickenTime(this.global.performance);
  }

  // jsdom's "browser" condition would select entry points that expect a bundler.
  exportConditions() {
    return ['node', 'node-addons'];
  }
}

/** React asks for the time at every turn: jsdom's answer was a hundredth of the tests' time. */
function quickenTime(ofPage) {
  const start = performance.now();
  ofPage.now = () => performance.now() - start;
}

/** Node's FormData, which Node's fetch accepts, with support for <form> elements, which Node's lacks. */
function readingForms(FormDataOfPage) {
  return class extends FormData {
    constructor(form, submitter) {
      super();
      if (!form) return;
      for (const [name, value] of new FormDataOfPage(form, submitter)) this.append(name, value);
    }
  };
}

/**
 * jsdom's addEventListener accepts only jsdom's abort signals, but Node's fetch needs Node's, which replace them here.
 */
function acceptNodeSignals(eventTarget) {
  const add = eventTarget.addEventListener;
  eventTarget.addEventListener = function (type, listener, options) {
    const { signal, ...rest } =
      typeof options === 'object' && options !== null ? options : { capture: options };
    if (!signal) return add.call(this, type, listener, options);
    if (signal.aborted) return undefined;
    signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest), { once: true });
    return add.call(this, type, listener, rest);
  };
}

function withAddress(projectConfig) {
  return {
    ...projectConfig,
    testEnvironmentOptions: { ...projectConfig.testEnvironmentOptions, url: 'http://localhost:8080/' },
  };
}

module.exports = BrowserWithNodeFetch;
