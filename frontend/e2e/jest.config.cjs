// Journeys: the built web app in a real browser, against a platform of their own.
/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '\\.tsx?$': '@swc/jest' },
  testMatch: ['<rootDir>/*.journey.ts'],
  globalSetup: '<rootDir>/start.ts',
  globalTeardown: '<rootDir>/stop.ts',
  // One campaign has demo backers, so that it has progress, a list of backers and reserved stock.
  globals: { hostFlags: ['-backers', 'njuolla-ja-revontulten-nuotit'] },
  setupFilesAfterEnv: ['<rootDir>/browser.ts'],
  testTimeout: 420_000,
  // Each worker starts a browser; the platform runs on the same machine.
  maxWorkers: 2,
};
