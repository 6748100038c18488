import type { Page } from 'playwright-core';
import { sees } from './checks';
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
    '/create-campaign/',
    '/my-campaigns/',
    '/invitation/',
    '/letters/',
    '/no-such-page/',
  ];
}

type Places = Record<string, { x: number; y: number; height: number }>;

/** The positions of the heading and of the cover and title of every visible card. */
function placesOf(page: Page): Promise<Places> {
  return page.evaluate(() => {
    const places: Places = {};
    const note = (name: string, element: Element | null) => {
      const { x, y, height } = element?.getBoundingClientRect() ?? new DOMRect();
      if (height > 0) places[name] = { x, y, height };
    };
    note('heading', document.querySelector('h1'));
    for (const card of document.querySelectorAll('main li:has(img):has(h2)')) {
      const title = card.querySelector('h2');
      note(`title of ${title?.textContent ?? ''}`, title);
      note(`cover of ${title?.textContent ?? ''}`, card.querySelector('img'));
    }
    return places;
  });
}

const jumpOf = (before: Places[string], after?: Places[string]) =>
  after
    ? Math.max(...(['x', 'y', 'height'] as const).map((key) => Math.abs(before[key] - after[key])))
    : Infinity;

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  journey(
    `on ${screen} heading and cards stay where the server has painted them`,
    options,
    async ({ page, errors }) => {
      errors.expect(/no-such-page/, 404);
      const scripts = /\/assets\/.*\.js$/;
      const jumps: string[] = [];
      for (const path of await publicPaths()) {
        await page.route(scripts, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const before = await placesOf(page);
        await page.unroute(scripts);
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const after = await placesOf(page);
        for (const [name, place] of Object.entries(before)) {
          if (jumpOf(place, after[name]) > 2)
            jumps.push(`${path}: ${name}: ${JSON.stringify(place)} to ${JSON.stringify(after[name])}`);
        }
        if (path === '/campaigns/') expect(Object.keys(before).length).toBeGreaterThan(2);
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
      // A visit is counted, not asked.
      if (pathname.startsWith('/content/') && !pathname.endsWith('/visits/')) calls.push(pathname + search);
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

journey('the first picture has the line for itself, then the app comes', phone, async ({ page }) => {
  const { address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  for (const path of ['/', '/campaigns/', address]) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    const { picture, scripts } = await page.evaluate(() => {
      const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return {
        picture: fetched.find(({ name }) => name.includes('/media/'))?.responseEnd ?? Infinity,
        scripts: fetched
          .filter(({ name }) => /\/assets\/(?!first).*\.js$/.test(name))
          .map(({ startTime }) => startTime),
      };
    });
    expect(scripts.length).toBeGreaterThan(2);
    expect(Math.min(...scripts)).toBeGreaterThan(picture);
  }
});

journey('a painted card leads to its campaign before the app is there', phone, async ({ page }) => {
  const app = /\/assets\/(?!first).*\.js$/;
  await page.route(app, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/campaigns/');
  const card = page.getByRole('listitem').getByRole('link').first();
  const title = await card.getByRole('heading', { level: 2 }).innerText();
  await card.tap();
  await sees(page.getByRole('heading', { level: 1, name: title }));
});
