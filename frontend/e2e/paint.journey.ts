import { expect, type BrowserContext, type Page, type Request } from '@playwright/test';
import pages from '../../services/content/internal/web/pages.json';
import { addressesOf } from './addresses';
import { sees } from './checks';
import { ask, demoCampaign, newSubscription } from './demo';
import { desktop, phone } from './journey';
import type { PageErrors } from './pageErrors';
import { openQuietly } from './quiet';
import { asStaff } from './session';

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
    subscription: await newSubscription(await demoCampaign('kuoro-jossa-ei-osata-laulaa')),
    campaign: address,
    post: post.id,
    experiment: `/experiments/${experiment.experiment_id}/${experiment.slug}/`,
  });
}

const publicPaths = (addresses: Record<string, string>) => [...Object.values(addresses), '/no-such-page/'];

/** The pages that search engines may not list; most of them depend on who is signed in. */
function privatePaths(addresses: Record<string, string>): string[] {
  return pages.flatMap(({ name, private: isPrivate }) => (isPrivate ? [addresses[name] ?? ''] : []));
}

/**
 * The modes of a campaign's or experiment's page, which may be a draft, and the pages of one's monthly support. The
 * server, which asks as a visitor, does not read a draft, and of monthly support only whether it is there: the app asks.
 */
function unreadPaths(addresses: Record<string, string>): Set<string | undefined> {
  return new Set(
    pages
      .filter(
        ({ private: isPrivate, path, calls }) =>
          isPrivate && (/:subscription\b/.test(path) || (/:(campaign|experiment)Id\b/.test(path) && !calls)),
      )
      .map(({ name }) => addresses[name]),
  );
}

/** Some addresses are of things that are somebody else's or nobody's. */
function expectNobodys(errors: PageErrors) {
  errors.expect(/subscriptions\//, 403);
  errors.expect(/content\/claims\//, 404);
  errors.expect(/payments\/api\/users\/me\/payouts\/01jd/, 404);
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

/** Checks each path in one of several tabs, because most of the time goes by waiting until the network is quiet. */
async function inTabs(
  context: BrowserContext,
  paths: readonly string[],
  check: (page: Page, path: string) => Promise<string[]>,
): Promise<string[]> {
  const left = [...paths];
  const faults: string[] = [];
  const work = async () => {
    const page = await context.newPage();
    for (let path = left.shift(); path !== undefined; path = left.shift())
      faults.push(...(await check(page, path)));
    await page.close();
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return faults;
}

const isCall = /^[^?]*\/(content|payments)\//;
/** The app's scripts, without the one that runs before anything is painted. */
const appScripts = /\/assets\/(?!first)[^/]*\.js$/;

/** Where things stand in the first paint: fonts and pictures have come, and the app has not. */
async function placesOfFirstPaint(page: Page): Promise<Places> {
  await page.waitForFunction(
    () =>
      document.readyState !== 'loading' &&
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet) &&
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return placesOf(page);
}

/**
 * What stands elsewhere in the app than in the server's first paint of an address. The app's scripts come only once that
 * has been measured, and each call of the app is answered later than the one before, so that parts of a page that do not
 * wait for each other are seen to move. What else is to be seen of that load, `open` looks at.
 */
async function jumpsIn(page: Page, path: string, open = () => openQuietly(page, path)): Promise<string[]> {
  let painted: Promise<Places> | undefined;
  await page.route(appScripts, async (route) => {
    await (painted ??= placesOfFirstPaint(page));
    await route.continue();
  });
  let answers = 0;
  await page.route(isCall, async (route) => {
    await page.waitForTimeout(100 * answers++);
    await route.continue();
  });
  await open();
  await page.unrouteAll({ behavior: 'wait' }); // what is answered late is not left to a page that has no such route
  const [before, after] = [await painted, await placesOf(page)];
  if (!before) throw new Error(`${path} asks for no script.`);
  if (path === '/campaigns/') expect(Object.keys(before).length).toBeGreaterThan(3);
  const jumps = Object.entries(before)
    .filter(([name, place]) => jumpOf(place, after[name]) > 2)
    .map(([name, place]) => `${path}: ${name}: ${JSON.stringify(place)} to ${JSON.stringify(after[name])}`);
  return [...jumps, ...(await shiftsOf(page)).map((moved) => `${path} moves ${moved}`)];
}

/**
 * How the app's title, heading and language, its calls and its pictures differ from the server's first paint of an address.
 * `asking` are the pages that may ask.
 */
async function differencesIn(page: Page, path: string, asking: Set<string | undefined>): Promise<string[]> {
  const calls: string[] = [];
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    // Counting a visit loads no data, and suggestions are asked for when their place comes near: on a short page at once.
    const isOther = pathname.endsWith('/visits/') || pathname.includes('/recommendations/');
    if (pathname.startsWith('/content/') && !isOther) calls.push(pathname + search);
  };
  const painted = await (await page.context().request.get(path)).text();
  page.on('request', note);
  await openQuietly(page, path);
  page.off('request', note);
  const found: string[] = [];
  const [before, after] = [await identityOf(page, painted), await identityOf(page)];
  // Pages about a payment are painted without a heading, because only the browser knows what to show.
  if (before.heading === undefined) after.heading = undefined;
  if (JSON.stringify(before) !== JSON.stringify(after))
    found.push(`${path}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`);
  const unused = await unusedPreloads(page);
  if (unused.length > 0) found.push(`${path} preloads ${unused.join(', ')} in vain`);
  if (calls.length > 0 && !asking.has(path.replace(/^\/(en|sv)(?=\/)/, '')))
    found.push(`${path} asks ${calls.join(', ')}`);
  return found;
}

/** Other journeys change the lists meanwhile, also between a paint and its look: only what differs twice is a difference. */
const onlyTwice = async (found: string[], again: () => Promise<string[]>) =>
  found.length > 0 ? again() : [];

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  options(
    `on ${screen} header, heading and cards stay where the server has painted them, and title, heading and language what they are`,
    async ({ context, errors }) => {
      errors.expect(/no-such-page/, 404);
      expectNobodys(errors);
      const addresses = await pageAddresses();
      const asking = unreadPaths(addresses);
      const faults = await inTabs(context, publicPaths(addresses), async (page, path) => {
        let differences: string[] = [];
        const jumps = await jumpsIn(page, path, async () => {
          differences = await differencesIn(page, path, asking);
        });
        return [...jumps, ...(await onlyTwice(differences, () => differencesIn(page, path, asking)))];
      });
      expect(faults).toEqual([]);
    },
  );
}

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  options(
    `on ${screen} those who are signed in see their pages as the server has painted and titled them`,
    async ({ page, context, errors }) => {
      expectNobodys(errors);
      // The sign-in page leads whoever is signed in on at once.
      const paths = privatePaths(await pageAddresses()).filter((path) => path !== '/sign-in/');
      await asStaff(page);
      const differences = await inTabs(context, paths, async (tab, path) => {
        const found = await jumpsIn(tab, path);
        const painted = await (await context.request.get(path)).text();
        const [before, after] = [await identityOf(tab, painted), await identityOf(tab)];
        if (before.title !== after.title || before.language !== after.language)
          found.push(`${path}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`);
        if (!after.heading) found.push(`${path} has no heading`);
        return found;
      });
      expect(differences).toEqual([]);
    },
  );
}

desktop(
  'the first paint of every page, in English and Swedish, too, has the app’s title, heading and language',
  async ({ context, errors }) => {
    errors.expect(/no-such-page/, 404);
    expectNobodys(errors);
    const addresses = await pageAddresses();
    const asking = unreadPaths(addresses);
    const paths = publicPaths(addresses).flatMap((path) => [`/en${path}`, `/sv${path}`]);
    const differences = await inTabs(context, paths, async (page, path) => {
      const differ = () => differencesIn(page, path, asking);
      return onlyTwice(await differ(), differ);
    });
    expect(differences).toEqual([]);
  },
);

phone('the app’s scripts are requested only after the first picture has loaded', async ({ page }) => {
  const { address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  for (const path of ['/', '/campaigns/', address]) {
    await openQuietly(page, path);
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

phone('a card of the first paint links to its campaign before the app has started', async ({ page }) => {
  const app = /\/assets\/(?!first).*\.js$/;
  await page.route(app, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/campaigns/');
  const card = page.getByRole('listitem').getByRole('link').first();
  const title = await card.getByRole('heading', { level: 2 }).innerText();
  await card.tap();
  await sees(page.getByRole('heading', { level: 1, name: title }));
});
