import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const candidates = [process.env.CHROME_BIN, '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** Starts Chromium: CHROME_BIN, or from its usual paths. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = candidates.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error('There is no Chromium: set CHROME_BIN to one.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

let shared: Browser | undefined;

/** The browser of this test file. */
export function browser(): Browser {
  if (!shared) throw new Error('The browser has not started yet.');
  return shared;
}

beforeAll(async () => {
  shared = await launchBrowser();
});
afterAll(async () => {
  await shared?.close();
});
