/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  transform: { '^.+\\.(m?jsx?|tsx?)$': '@swc/jest' },
  // msw and its parts are published as ES modules only.
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/test/cssModule.cjs',
    '\\.(css|woff2)$': '<rootDir>/test/emptyModule.cjs',
  },
  setupFilesAfterEnv: ['<rootDir>/test/setup.ts'],
};
