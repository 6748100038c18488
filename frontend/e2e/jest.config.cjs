// Journeys: the built web app in a real browser, against a platform of their own.
/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '\\.tsx?$': '@swc/jest' },
  testMatch: ['<rootDir>/*.journey.ts'],
  globalSetup: '<rootDir>/start.ts',
  globalTeardown: '<rootDir>/stop.ts',
  // One campaign with demo backers shows progress, a list of backers and stock that was taken.
  globals: { hostFlags: ['-backers', 'njuolla-ja-revontulten-nuotit'] },
  setupFilesAfterEnv: ['<rootDir>/browser.ts'],
  testTimeout: 180_000,
  // Each worker has a browser of its own; the platform needs room beside them.
  maxWorkers: 2,
};
