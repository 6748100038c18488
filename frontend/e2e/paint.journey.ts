import type { Page } from 'playwright-core';
import { ask, demoCampaign } from './demo';
import { desktop, journey, phone } from './journey';

// The server's first paint equals what the app then renders: nothing is replaced visibly, and nothing is requested
// twice.

interface PageIdentity {
  title: string;
  heading: string | undefined;
  language: string;
}

/** The title, heading and language of the open document, or of the given HTML. */
function identityOf(page: Page, html?: string): Promise<PageIdentity> {
  return page.evaluate((text) => {
    const shown = text === undefined ? document : new DOMParser().parseFromString(text, 'text/html');
    const heading = shown.querySelector('h1')?.textContent.replace(/\s+/g, ' ').trim();
    return { title: shown.title, heading, language: shown.documentElement.lang };
  }, html);
}

/** Preloaded pictures that the app does not show, or shows in another size. */
function unusedPreloads(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown = new Set(Array.from(document.images, (image) => image.currentSrc));
    return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ initiatorType, name }) => initiatorType === 'link' && name.includes('/media/'))
      .map(({ name }) => name)
      .filter((name) => !shown.has(name));
  });
}

/** One path of each page. */
async function publicPaths(): Promise<string[]> {
  const { id, address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  const experiments = await ask<{ previews: { experiment_id: number; slug: string }[] }>(
    '/content/experiments/preview/fi/?limit=1',
  );
  const posts = await ask<{ previews: { id: number }[] }>(
    `/content/campaigns/${id}/posts/preview/?language=fi`,
  );
  return [
    '/',
    '/campaigns/',
    '/experiments/',
    ...experiments.previews.map((one) => `/experiments/${one.experiment_id}/${one.slug}/`),
    '/info/pricing/',
    address,
    ...posts.previews.slice(0, 1).map((one) => `${address}posts/${one.id}/`),
    `${address}pledge/`,
    `${address}thanks/`,
    '/payment-return/',
    '/verify-email/',
    '/no-such-page/',
  ];
}

/** The position of the heading. */
function headingPosition(page: Page) {
  return page.evaluate(() => {
    const { x, y, height } = document.querySelector('h1')?.getBoundingClientRect() ?? new DOMRect();
    return { x, y, height };
  });
}

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  journey(
    `on ${screen} the heading stays where the server has painted it`,
    options,
    async ({ page, errors }) => {
      errors.expect(/no-such-page/, 404);
      const scripts = /\/assets\/.*\.js$/;
      const jumps: string[] = [];
      for (const path of await publicPaths()) {
        await page.route(scripts, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const before = await headingPosition(page);
        await page.unroute(scripts);
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const after = await headingPosition(page);
        const jump = Math.max(
          ...(['x', 'y', 'height'] as const).map((key) => Math.abs(before[key] - after[key])),
        );
        if (before.height > 0 && jump > 2)
          jumps.push(`${path}: ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
      }
      expect(jumps).toEqual([]);
    },
  );
}

journey(
  'the first paint of every page, in every language, has the app’s title, heading and language',
  desktop,
  async ({ page, context, errors }) => {
    errors.expect(/no-such-page/, 404);
    const paths = await publicPaths();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/content/')) calls.push(pathname + search);
    });
    const differences: string[] = [];
    for (const prefix of ['', '/en', '/sv']) {
      for (const path of paths) {
        const painted = await (await context.request.get(prefix + path)).text();
        calls.length = 0;
        await page.goto(prefix + path);
        await page.waitForLoadState('networkidle');
        const before = await identityOf(page, painted);
        const after = await identityOf(page);
        // Pages about a payment are painted without a heading, because only the browser knows what to show.
        if (before.heading === undefined) after.heading = undefined;
        if (JSON.stringify(before) !== JSON.stringify(after)) {
          differences.push(`${prefix}${path}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`);
        }
        const unused = await unusedPreloads(page);
        if (unused.length > 0) differences.push(`${prefix}${path} preloads ${unused.join(', ')} in vain`);
        if (calls.length > 0) differences.push(`${prefix}${path} asks ${calls.join(', ')}`);
      }
    }
    expect(differences).toEqual([]);
  },
);
