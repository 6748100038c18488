import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** axe finds nothing on the screen as it stands, in the light and in the dark theme. */
export async function expectAccessible(page: Page) {
  // axe opens a page of its own, and a hidden page breaks off its view transition.
  await page.waitForFunction(() => !document.documentElement.matches(':active-view-transition'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page }).withTags(wcag22aa);
    // The provider's frame is transparent: axe takes it for white, but at night our dark panel is behind it.
    if (colorScheme === 'dark') axe.exclude('iframe[src*="/elements/frame"]');
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${colorScheme} ${id}: ${help}\n  ${node.html}\n  ${node.failureSummary ?? ''}`),
    );
    if (found.length > 0) throw new Error(`${page.url()} is not accessible:\n${found.join('\n')}`);
  }
}

/** Nothing sticks out sideways on narrow phones. Leaves the viewport as it was. */
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

/** Waits until it is on the screen. */
export async function sees(locator: Locator) {
  await locator.first().waitFor({ state: 'visible' });
}

/** Waits until it is no longer on the screen. */
export async function loses(locator: Locator) {
  await locator.first().waitFor({ state: 'hidden' });
}

/** Waits until a reading passes the check; fails with the check's own words when it never does. */
export async function eventually<T>(read: () => Promise<T>, check: (value: T) => void, timeoutMs = 20_000) {
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

/** Waits until the address, without its origin, is this. */
export async function isAt(page: Page, address: string | RegExp) {
  await page.waitForURL((url) => {
    const rest = url.pathname + url.search;
    return typeof address === 'string' ? rest === address : address.test(rest);
  });
}
