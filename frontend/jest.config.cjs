const { writeParts } = require('./build/texts.cjs');

writeParts(`${__dirname}/.texts`);

// Published as ES modules only.
const esm = ['@open-draft/deferred-promise', 'rettime', 'until-async', 'uqr'];
const swc = ['@swc/jest', { swcrc: true }];
const lazyIndex = /@mantine[\\/]core[\\/]cjs[\\/]index\.cjs$/.source;

/** @type {import('jest').Config} */
const both = {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  transform: { [lazyIndex]: '<rootDir>/test/lazyIndex.cjs', '^.+\\.(mjs|js|tsx?)$': swc },
  transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')})/|@mantine/core/cjs/index\\.cjs$)`],
  moduleNameMapper: {
    '/(fi|en|sv)\\.json\\?part=(\\w+)$': '<rootDir>/.texts/$1.$2.json',
    'errors\\.generated\\.json\\?language=(\\w+)$': '<rootDir>/.texts/errors.$1.json',
    '\\.module\\.css$': '<rootDir>/test/cssModule.cjs',
    '\\.(css|woff2)$': '<rootDir>/test/emptyModule.cjs',
    '/MantineCssVariables\\.cjs$': '<rootDir>/test/noCssVariables.cjs',
    '/(getRequestCookies|cookieStore|getCallFrame)(\\.js)?$': '<rootDir>/test/mswParts.cjs',
    '^graphql$': '<rootDir>/test/emptyModule.cjs', // msw loads it for handlers that nobody uses here.
  },
  // Beside the packages, so that a new checkout of the same folder finds it.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    {
      ...both,
      displayName: 'rules',
      testMatch: ['**/*.test.ts'],
      testEnvironment: 'node',
      setupFilesAfterEnv: ['<rootDir>/test/setupRules.ts'],
    },
    {
      ...both,
      displayName: 'screens',
      testMatch: ['**/*.test.tsx'],
      testEnvironment: '<rootDir>/test/environment.cjs',
      setupFilesAfterEnv: ['<rootDir>/test/setup.ts'],
    },
  ],
  // Long enough to end only tests that hang: a file's first test also loads lazy modules, which takes seconds on a
  // busy machine.
  testTimeout: 30_000,
  // The default leaves one core to others, which is half of a machine with two.
  maxWorkers: '100%',
  reporters: ['default', '<rootDir>/test/failures.cjs'],
};
