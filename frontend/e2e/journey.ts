import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { PageErrors } from './pageErrors';
import { platform } from './platform';

/** What a journey acts with: the page of its first person, and ways to check errors and to add people. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  errors: PageErrors;
  /** Opens a page for another person, in a browser context of its own. Its errors fail the journey, too. */
  another: () => Promise<Page>;
}

/** A test in a fresh browser context. Fails on anything that PageErrors collects. */
const journey = test.extend<Pick<Visitor, 'errors' | 'another'>>({
  baseURL: ({}, use) => use(platform().web),
  errors: ({}, use) => use(new PageErrors()),
  context: async ({ context, errors }, use) => {
    context.on('page', (page) => errors.watch(page));
    await use(context);
    // Before the context closes, so that its pages can still be pictured.
    expect(errors.list(), 'what the pages did besides').toEqual([]);
  },
  another: async ({ browser, errors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      context.on('page', (page) => errors.watch(page));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

/** A journey at a desk. */
export const desktop = journey.extend({ viewport: { width: 1440, height: 900 } });
/** A journey on a phone with a touch screen. */
export const phone = journey.extend({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
});
