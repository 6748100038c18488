import type { Page } from 'playwright-core';
import pages from '../../services/content/internal/web/pages.json';
import { addressesOf } from './addresses';
import { sees } from './checks';
import { ask, demoCampaign, editor } from './demo';
import { desktop, journey, phone } from './journey';
import { signIn } from './signing';

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

/** One address of each page, by the page's name. */
async function pageAddresses(): Promise<Record<string, string>> {
  const { id, address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  const experiments = await ask<{ previews: { experiment_id: number; slug: string }[] }>(
    '/content/experiments/preview/fi/?limit=1',
  );
  const posts = await ask<{ previews: { id: number }[] }>(
    `/content/campaigns/${id}/posts/preview/?language=fi`,
  );
  const [experiment, post] = [experiments.previews[0], posts.previews[0]];
  if (!experiment || !post) throw new Error('The demo has no experiment, or its campaign no update.');
  const { previews } = await ask<{ previews: { user_id: number }[] }>('/content/users/preview/?limit=1');
  const [person] = previews;
  if (!person) throw new Error('Nobody of the demo has introduced themself.');
  return addressesOf({
    person: person.user_id,
    campaign: address,
    post: post.id,
    experiment: `/experiments/${experiment.experiment_id}/${experiment.slug}/`,
  });
}

const publicPaths = async () => [...Object.values(await pageAddresses()), '/no-such-page/'];

/** The pages that search engines may not list; most of them depend on who is signed in. */
async function privatePaths(): Promise<string[]> {
  const addresses = await pageAddresses();
  return pages.flatMap(({ name, private: isPrivate }) => (isPrivate ? [addresses[name] ?? ''] : []));
}

/**
 * The modes of a campaign's or experiment's page, which may be a draft. The server, which asks as a visitor, cannot read that:
 * the app asks as its reader.
 */
async function modesPaths(): Promise<Set<string | undefined>> {
  const addresses = await pageAddresses();
  return new Set(
    pages
      .filter((page) => page.private && /:(campaign|experiment)Id/.test(page.path) && !page.calls)
      .map(({ name }) => addresses[name]),
  );
}

type Places = Record<string, { x: number; y: number; height: number }>;

/** The positions of the header's name, of the heading, and of the cover and title of every visible card. */
function placesOf(page: Page): Promise<Places> {
  return page.evaluate(() => {
    const places: Places = {};
    // The first paint's header is a pseudo-element, so that its place has to be read from its style.
    const header = document.querySelector('header');
    const { paddingLeft, height } = getComputedStyle(
      document.querySelector('.tk-first, #root') ?? document.body,
      '::before',
    );
    places.header = header
      ? {
          x: header.querySelector('a span')?.getBoundingClientRect().x ?? 0,
          y: header.getBoundingClientRect().y,
          height: header.getBoundingClientRect().height,
        }
      : { x: parseFloat(paddingLeft), y: 0, height: parseFloat(height) };
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

interface Shift extends PerformanceEntry {
  value: number;
  sources: readonly { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** What has moved since the first paint, if it is more than 0.02 by the measure of Core Web Vitals. */
function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as Shift[];
          const isFelt = shifts.reduce((sum, { value }) => sum + value, 0) > 0.02;
          const moved = shifts.flatMap(({ value, sources }) =>
            sources.map(({ node, previousRect, currentRect }) =>
              [value, node?.className ?? node?.nodeName, previousRect.y, 'to', currentRect.y].join(' '),
            ),
          );
          resolve(isFelt ? moved : []);
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve([]), 500); // the observer is not called when nothing has moved
      }),
  );
}

/** What stands elsewhere in the app than in the server's first paint of these addresses. */
async function jumpsIn(page: Page, paths: readonly string[]): Promise<string[]> {
  const scripts = /\/assets\/.*\.js$/;
  const jumps: string[] = [];
  for (const path of paths) {
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
    if (path === '/campaigns/') expect(Object.keys(before).length).toBeGreaterThan(3);
  }
  return jumps;
}

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  journey(
    `on ${screen} header, heading and cards stay where the server has painted them`,
    options,
    async ({ page, errors }) => {
      errors.expect(/no-such-page/, 404);
      expect(await jumpsIn(page, await publicPaths())).toEqual([]);
    },
  );

  journey(
    `on ${screen} those who are signed in see their pages as the server has painted and titled them`,
    options,
    async ({ page, context }) => {
      const paths = await privatePaths();
      await page.goto('/');
      await signIn(page, editor);
      const differences = await jumpsIn(page, paths);
      for (const path of paths) {
        const painted = await (await context.request.get(path)).text();
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const [before, after] = [await identityOf(page, painted), await identityOf(page)];
        if (before.title !== after.title || before.language !== after.language)
          differences.push(`${path}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`);
        expect(after.heading).toBeTruthy();
        differences.push(...(await shiftsOf(page)).map((moved) => `${path} moves ${moved}`));
      }
      expect(differences).toEqual([]);
    },
  );
}

journey(
  'the first paint of every page, in every language, has the app’s title, heading and language',
  desktop,
  async ({ page, context, errors }) => {
    errors.expect(/no-such-page/, 404);
    const paths = await publicPaths();
    const asking = await modesPaths();
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      // Counting a visit loads no data, and the widget on its test bed asks as it does on another site.
      const isOther = pathname.endsWith('/visits/') || pathname.startsWith('/content/recommendations/');
      if (pathname.startsWith('/content/') && !isOther) calls.push(pathname + search);
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
        if (calls.length > 0 && !asking.has(path))
          differences.push(`${prefix}${path} asks ${calls.join(', ')}`);
      }
    }
    expect(differences).toEqual([]);
  },
);

journey(
  'the app’s scripts are requested only after the first picture has loaded',
  phone,
  async ({ page }) => {
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
  },
);

journey(
  'a card of the first paint links to its campaign before the app has started',
  phone,
  async ({ page }) => {
    const app = /\/assets\/(?!first).*\.js$/;
    await page.route(app, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.goto('/campaigns/');
    const card = page.getByRole('listitem').getByRole('link').first();
    const title = await card.getByRole('heading', { level: 2 }).innerText();
    await card.tap();
    await sees(page.getByRole('heading', { level: 1, name: title }));
  },
);
