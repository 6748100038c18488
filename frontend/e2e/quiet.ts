import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from '@playwright/test';

/** How long nothing may be asked for until the page counts as quiet, in milliseconds. */
const quietFor = 500;

/**
 * Loads an address of the app and waits until the app stands there, whose header the server does not paint, and has asked
 * for nothing for half a second: a busy machine takes longer than that between the last script and the page.
 */
export async function openQuietly(page: Page, path: string) {
  await untilQuiet(page, async () => {
    await page.goto(path);
    await page.locator('header').first().waitFor({ state: 'attached' });
  });
}

/**
 * Does `act`, which loads a page, and waits until the page has asked for nothing for half a second. Unlike Playwright's
 * `networkidle` it says, after a minute, what the page still waits for or keeps asking.
 */
export async function untilQuiet(page: Page, act: () => Promise<unknown>) {
  const open = new Set<Request>();
  const asked: string[] = [];
  let since = Date.now();
  const begins = (request: Request) => {
    // A new document drops what the one before still waited for.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    // Pictures have their place before they come, and a lazy one may be dropped without a word.
    if (request.resourceType() !== 'image') open.add(request);
    asked.push(request.url());
  };
  const ends = (request: Request) => {
    open.delete(request);
    since = Date.now();
  };
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends);
  try {
    await act();
    since = Date.now();
    for (const deadline = Date.now() + 60_000; open.size > 0 || Date.now() - since < quietFor;) {
      if (Date.now() > deadline) {
        const waiting = [...open].map((request) => request.url());
        throw new Error(
          `${page.url()} is not quiet; it waits for ${waiting.join(', ') || 'nothing'} and asked last for ${asked.slice(-5).join(', ')}`,
        );
      }
      await setTimeout(50);
    }
  } finally {
    page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends);
  }
}
