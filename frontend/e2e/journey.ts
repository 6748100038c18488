import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { browser } from './browser';
import { PageErrors } from './pageErrors';
import { outputDir, platform } from './platform';

/** How long one step may take: long enough to end only steps that hang, on a machine that is busy with other journeys. */
const stepTimeout = 60_000;

/** The device of most journeys. */
export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
/** A phone with a touch screen. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** What a journey acts with: the page of its first person, and ways to check errors and to add people. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  errors: PageErrors;
  /** Opens a page for another person, in a browser context of its own. Its errors fail the journey, too. */
  another: () => Promise<Page>;
}

/** A test in a fresh browser context. Fails on anything that PageErrors collects. */
export function journey(
  name: string,
  options: BrowserContextOptions,
  run: (visitor: Visitor) => Promise<void>,
) {
  test(name, async () => {
    const errors = new PageErrors();
    const contexts: BrowserContext[] = [];
    const enter = async () => {
      const context = await browser().newContext({
        baseURL: platform().web,
        locale: 'fi-FI',
        timezoneId: 'Europe/Helsinki',
        reducedMotion: 'reduce',
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(stepTimeout);
      context.on('page', (page) => errors.watch(page));
      return context.newPage();
    };
    const page = await enter();
    try {
      await run({ page, context: page.context(), errors, another: enter });
      expect(errors.list()).toEqual([]);
    } catch (error) {
      await saveScreenshots(contexts, name);
      if (errors.list().length > 0 && error instanceof Error)
        error.message += `\nThe page also did this:\n${errors.list().join('\n')}`;
      throw error;
    } finally {
      for (const context of contexts) await context.close();
    }
  });
}

async function saveScreenshots(contexts: readonly BrowserContext[], name: string) {
  const dir = path.join(outputDir, 'failures');
  mkdirSync(dir, { recursive: true });
  const file = name.replace(/[^\p{L}\d]+/gu, '-');
  for (const [number, page] of contexts.flatMap((context) => context.pages()).entries()) {
    await page.screenshot({ path: path.join(dir, `${file}-${number}.png`), fullPage: true });
  }
}
