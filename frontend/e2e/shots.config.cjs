// Takes screenshots of all main pages, to look at. Nothing is checked.
const journeys = require('./jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...journeys,
  testMatch: ['<rootDir>/shots.ts'],
  globals: { hostFlags: ['-full'] },
  testTimeout: 600_000,
};
