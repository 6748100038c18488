import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

// Journeys: the built web app in a real browser, against one platform of their own (scripts/journeyhost).

const root = path.resolve(__dirname, '../..');
// The shell is Chromium without windows: a context and its first page cost a third of the CPU time.
const browsers = [
  process.env.CHROME_BIN,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];
const executablePath = browsers.find((place) => place && existsSync(place));
if (!executablePath) throw new Error('There is no Chromium: set CHROME_BIN to one.');

/** The name of the one journey to run. */
const only = process.env.ONLY;

// One campaign has demo backers, so that it has progress, a list of backers and reserved stock.
const hostFlags = process.env.JOURNEYS_FULL ? '-full' : '-backers njuolla-ja-revontulten-nuotit';

export default defineConfig({
  testDir: __dirname,
  // In the order of the files' names: the last are short, so that no worker waits long for the other's.
  testMatch: process.env.JOURNEYS_FULL ? 'shots.ts' : '*.journey.ts',
  outputDir: path.join(root, 'bin/journeys'),
  reporter: [['list'], ['./ending.ts']],
  grep: only ? new RegExp(only.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : undefined,
  fullyParallel: true,
  forbidOnly: true,
  // Each worker starts a browser; the platform runs on the same machine.
  workers: 2,
  timeout: 420_000,
  use: {
    // How long one step may take: long enough to end only steps that hang, on a busy machine.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    locale: 'fi-FI',
    timezoneId: 'Europe/Helsinki',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: ['--disable-gpu', '--disable-quic', '--js-flags=--no-opt --no-maglev'],
    },
    screenshot: 'off', // journey.ts pictures what fails
    // Pictures of each step cost a fifth of the whole run; a journey that is run alone has them.
    trace: { mode: 'retain-on-failure', snapshots: !!only, screenshots: !!only },
  },
  // Its line is read by platform.ts. A platform that runs already can be named instead.
  webServer: process.env.JOURNEYS_PLATFORM
    ? undefined
    : {
        command: `exec go run ./scripts/journeyhost ${hostFlags}`,
        cwd: root,
        wait: { stdout: /(?<journeys_platform>\{.*\})/ },
        timeout: 600_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 60_000 },
      },
});
