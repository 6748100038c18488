import { expect, test, type BrowserContext, type Page, type TestInfo } from '@playwright/test';
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
  context: async ({ context, errors }, use, info) => {
    context.on('page', (page) => errors.watch(page));
    await use(context);
    await pictureIfRed(context, errors, info);
    expect(errors.list(), 'what the pages did besides').toEqual([]);
  },
  another: async ({ browser, errors }, use, info) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      context.on('page', (page) => errors.watch(page));
      return context.newPage();
    });
    for (const context of contexts) {
      await pictureIfRed(context, errors, info);
      await context.close();
    }
  },
});

/**
 * Pictures the pages of a journey that has failed. Playwright would picture those of every journey that ends well, too, since
 * it cannot know better when it closes them.
 */
async function pictureIfRed(context: BrowserContext, errors: PageErrors, info: TestInfo) {
  if (info.status === info.expectedStatus && errors.list().length === 0) return;
  for (const page of context.pages()) {
    const file = info.outputPath(`screen-${info.attachments.length + 1}.png`);
    const isTaken = await page
      .screenshot({ path: file, fullPage: true, timeout: 5000 })
      .catch(() => undefined);
    if (isTaken) info.attachments.push({ name: 'screenshot', path: file, contentType: 'image/png' });
  }
}

/** A journey at a desk. */
export const desktop = journey.extend({ viewport: { width: 1440, height: 900 } });
/** A journey on a phone with a touch screen. */
export const phone = journey.extend({
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
});
