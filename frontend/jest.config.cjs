const { writeParts } = require('./build/texts.cjs');

writeParts(`${__dirname}/.texts`);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  transform: { '^.+\\.(m?jsx?|tsx?)$': '@swc/jest' },
  // msw and its dependencies are published as ES modules only, so node_modules is transformed, too.
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '/(fi|en|sv)\\.json\\?part=(\\w+)$': '<rootDir>/.texts/$1.$2.json',
    'errors\\.generated\\.json\\?language=(\\w+)$': '<rootDir>/.texts/errors.$1.json',
    '\\.module\\.css$': '<rootDir>/test/cssModule.cjs',
    '\\.(css|woff2)$': '<rootDir>/test/emptyModule.cjs',
  },
  // Long enough to end only tests that hang: a file's first test also loads lazy modules, which takes seconds on a
  // busy machine.
  testTimeout: 30_000,
  setupFilesAfterEnv: ['<rootDir>/test/setup.ts'],
  // The default leaves one core to others, which is half of a machine with two.
  maxWorkers: '100%',
};
