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
    for (const name of fromNode) this.global[name] = globalThis[name];
  }

  // The browser's condition would pick entry points that expect a bundler.
  exportConditions() {
    return ['node', 'node-addons'];
  }
}

function withAddress(projectConfig) {
  return {
    ...projectConfig,
    testEnvironmentOptions: { ...projectConfig.testEnvironmentOptions, url: 'http://localhost:8080/' },
  };
}

module.exports = BrowserWithNodeFetch;
