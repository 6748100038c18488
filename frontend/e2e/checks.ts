import { readFileSync } from 'node:fs';
import { expect, type Frame, type Locator, type Page } from '@playwright/test';
import type Axe from 'axe-core';
import type { RunOptions } from 'axe-core';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules of these that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe on the page in its current state: all rules in the light theme, those of colours in the dark one, too. */
export async function expectAccessible(page: Page) {
  await page.bringToFront(); // a page that is hidden draws no frames
  await page.waitForFunction(isThere);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(isDrawnIn, colorScheme);
    await Promise.all(page.frames().map(addAxe)); // each time, since a form of the provider may have come meanwhile
    const options: RunOptions = {
      runOnly:
        colorScheme === 'light' ? { type: 'tag', values: wcag22aa } : { type: 'rule', values: ofColours },
      resultTypes: ['violations'],
      pingWaitTime: 60_000, // axe leaves out a frame that does not answer
    };
    // The provider's iframe is transparent. axe assumes a white background, but in the dark theme our panel is dark.
    const exclude = colorScheme === 'dark' ? [['iframe[src*="/elements/frame"]']] : [];
    const violations = await page.evaluate(runAxe, { exclude, options });
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${colorScheme} ${id}: ${help}\n  ${node.html}\n  ${node.failureSummary ?? ''}`),
    );
    if (found.length > 0) throw new Error(`${page.url()} is not accessible:\n${found.join('\n')}`);
  }
}

/** Whether the page is what it will be: the app replaces what the server painted, and a page in transition is two pages. */
function isThere() {
  const isPainted = document.querySelector('.tk-first') !== null && !matchMedia('(scripting: none)').matches;
  return !isPainted && !document.documentElement.matches(':active-view-transition');
}

/** Whether the page has the system's theme, or one that its visitor chose. */
function isDrawnIn(colorScheme: string) {
  const drawn = document.documentElement.getAttribute('data-mantine-color-scheme');
  return drawn === null || drawn === colorScheme || localStorage.getItem('tk-theme') !== null;
}

/** Gives a frame axe, which may be asked from the page, whatever its origin. */
async function addAxe(frame: Frame) {
  await frame.waitForLoadState(); // a new document would drop it
  if (await frame.evaluate(() => 'axe' in window)) return;
  await frame.evaluate(`${axe};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`);
  await frame.evaluate(rememberColors);
}

/** A color of axe, with its parts from 0 to 1. */
interface Color {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString: (this: Color, text: string) => Color;
}

/** Has axe parse each color once: it parses those of all elements around every text, which is a fifth of its time. */
function rememberColors() {
  const { axe } = window as unknown as { axe: { commons: { color: { Color: { prototype: Color } } } } };
  const { prototype } = axe.commons.color.Color;
  const parse = prototype.parseString;
  const known = new Map<string, readonly [number, number, number, number]>();
  prototype.parseString = function (text) {
    const found = known.get(text);
    if (found) [this.r, this.g, this.b, this.alpha] = found;
    else {
      parse.call(this, text);
      known.set(text, [this.r, this.g, this.b, this.alpha]);
    }
    return this;
  };
}

/** Runs axe in the page and its frames once the theme is drawn, and brings only what is found. */
async function runAxe({ exclude, options }: { exclude: string[][]; options: RunOptions }) {
  await new Promise(requestAnimationFrame);
  const { axe } = window as unknown as { axe: typeof Axe };
  // What says where a fault is costs half of the time, so it is asked for only once there is one.
  axe.configure({ noHtml: true });
  const { violations: bare } = await axe.run({ exclude }, { ...options, selectors: false });
  if (bare.length === 0) return bare;
  axe.configure({ noHtml: false });
  const { violations } = await axe.run({ exclude }, options);
  return violations.length > 0 ? violations : bare;
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

/** Expects that no text within the element ends in three dots on the narrowest phone. */
export async function expectNothingCut(locator: Locator) {
  const page = locator.page();
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 844 });
  const cut = await locator.evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter(
        (one) => getComputedStyle(one).overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 1,
      )
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
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
export async function eventually<T>(read: () => Promise<T>, check: (value: T) => void, timeout = 60_000) {
  await expect(async () => check(await read())).toPass({ timeout, intervals: [100] });
}

/** Waits until path and query of the page match. */
export async function isAt(page: Page, address: string | RegExp) {
  await page.waitForURL((url) => {
    const rest = url.pathname + url.search;
    return typeof address === 'string' ? rest === address : address.test(rest);
  });
}
