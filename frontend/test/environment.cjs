// jsdom hides Node's fetch and streams; the base query and the network stand-in need the real ones.
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
];

class BrowserWithNodeFetch extends TestEnvironment {
  constructor(config, context) {
    super({ ...config, projectConfig: withAddress(config.projectConfig) }, context);
    const { FormData: FormDataOfPage } = this.global;
    for (const name of fromNode) this.global[name] = globalThis[name];
    this.global.FormData = readingForms(FormDataOfPage);
    acceptNodeSignals(this.global.EventTarget.prototype);
  }

  // The browser's condition would pick entry points that expect a bundler.
  exportConditions() {
    return ['node', 'node-addons'];
  }
}

/** Node's form data, which fetch takes, filled from a form as a browser does it. */
function readingForms(FormDataOfPage) {
  return class extends FormData {
    constructor(form, submitter) {
      super();
      if (!form) return;
      for (const [name, value] of new FormDataOfPage(form, submitter)) this.append(name, value);
    }
  };
}

/** jsdom's listeners take only jsdom's own abort signals; fetch takes only Node's, which are the ones in use here. */
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
