import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { browser } from './browser';
import { Faults } from './faults';
import { outputDir, platform } from './platform';

export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

export interface Traveller {
  page: Page;
  context: BrowserContext;
  faults: Faults;
}

/** One walk through the app by a person with a fresh browser. It fails on whatever Faults finds. */
export function journey(
  name: string,
  options: BrowserContextOptions,
  walk: (traveller: Traveller) => Promise<void>,
) {
  test(name, async () => {
    const context = await browser().newContext({
      baseURL: platform().web,
      locale: 'fi-FI',
      timezoneId: 'Europe/Helsinki',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(20_000);
    const faults = new Faults();
    context.on('page', (page) => faults.watch(page));
    const page = await context.newPage();
    try {
      await walk({ page, context, faults });
      expect(faults.list()).toEqual([]);
    } catch (error) {
      await keepPicture(context, name);
      if (faults.list().length > 0 && error instanceof Error)
        error.message += `\nThe page also did this:\n${faults.list().join('\n')}`;
      throw error;
    } finally {
      await context.close();
    }
  });
}

async function keepPicture(context: BrowserContext, name: string) {
  const dir = path.join(outputDir, 'failures');
  mkdirSync(dir, { recursive: true });
  const file = name.replace(/[^\p{L}\d]+/gu, '-');
  for (const [number, page] of context.pages().entries()) {
    await page.screenshot({ path: path.join(dir, `${file}-${number}.png`), fullPage: true });
  }
}
