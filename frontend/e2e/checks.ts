import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules of these that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Runs axe on the page in its current state: all rules in the light theme, those of colours in the dark one, too. */
export async function expectAccessible(page: Page) {
  // axe opens another page, and hiding this one would abort its view transition.
  await page.waitForFunction(() => !document.documentElement.matches(':active-view-transition'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page });
    if (colorScheme === 'light') axe.withTags(wcag22aa);
    // The provider's iframe is transparent. axe assumes a white background, but in the dark theme our panel is dark.
    else axe.withRules(ofColours).exclude('iframe[src*="/elements/frame"]');
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${colorScheme} ${id}: ${help}\n  ${node.html}\n  ${node.failureSummary ?? ''}`),
    );
    if (found.length > 0) throw new Error(`${page.url()} is not accessible:\n${found.join('\n')}`);
  }
}

/** Checks that the page does not scroll sideways at 320 and 390 px, and restores the viewport. */
export async function expectNoSidewaysScroll(page: Page) {
  const before = page.viewportSize();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      return [...document.body.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
        .map((element) => element.outerHTML.slice(0, 120));
    });
    if (wide.length > 0) throw new Error(`${page.url()} scrolls sideways at ${width}:\n${wide.join('\n')}`);
  }
  if (before) await page.setViewportSize(before);
}

/** Waits until the element is visible. */
export async function sees(locator: Locator) {
  await locator.first().waitFor({ state: 'visible' });
}

/** Waits until the element is hidden or removed. */
export async function disappears(locator: Locator) {
  await locator.first().waitFor({ state: 'hidden' });
}

/** Repeats `read` until `check` passes; after the timeout, fails with the error of the check. */
export async function eventually<T>(read: () => Promise<T>, check: (value: T) => void, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      check(await read());
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until path and query of the page match. */
export async function isAt(page: Page, address: string | RegExp) {
  await page.waitForURL((url) => {
    const rest = url.pathname + url.search;
    return typeof address === 'string' ? rest === address : address.test(rest);
  });
}
