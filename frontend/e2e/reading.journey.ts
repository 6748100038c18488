import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, isAt, sees, eventually } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { openQuietly, untilQuiet } from './quiet';

const withoutScripts = desktop.extend({ javaScriptEnabled: false });

withoutScripts(
  'without JavaScript the pages show heading, text, picture and links',
  async ({ page, errors }) => {
    errors.expectLost(/\/assets\/.*\.js$/); // Preloaded, but scripts are disabled.
    await page.goto('/');
    const first = page.getByRole('heading', { level: 1 });
    await sees(first); // The most popular one, which other people change meanwhile.
    const { previews } = await ask<{ previews: { title: string }[] }>(
      '/content/campaigns/preview/fi/?limit=100',
    );
    expect(previews.map(({ title }) => title)).toContain(await first.innerText());
    await sees(page.locator('main p'));
    await expectPicture(page);

    const { address, title } = await demoCampaign('njuolla-ja-revontulten-nuotit');
    await page.goto(address);
    await sees(page.getByRole('heading', { level: 1, name: title }));
    await sees(page.locator('main p'));
    await expectPicture(page);
    // By CSS selectors: Playwright finds no text inside <noscript>.
    const texts = (selector: string) => page.locator(`.tk-plain ${selector}`).allTextContents();
    expect((await texts('> p')).join()).toContain('kasassa, tavoite');
    await sees(page.locator('.tk-plain .tk-story p'));
    expect(await texts('> h2')).toEqual(['Vastikkeet', 'Päivitykset']);
    await expectNoSidewaysScroll(page);

    await page.locator('.tk-plain a[href="/campaigns/"]').click();
    await sees(page.getByRole('heading', { level: 1, name: 'Kampanjat' }));
    // Whichever is listed: other people open campaigns meanwhile.
    const links = await page
      .locator('.tk-plain a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const listed = links.find((href) => /^\/\d+\/[^/]+\/$/.test(href ?? '')) ?? '';
    await page.locator(`.tk-plain a[href="${listed}"]`).click();
    await isAt(page, listed);
    await page.goto('/en/info/pricing/');
    expect(await texts('> h2')).toContain('Starting a campaign');
  },
);

desktop('a campaign has the metadata for link previews and search engines', async ({ page, context }) => {
  const { address, title } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  await page.goto(`/en${address}`);
  const head = (selector: string, attribute: string) =>
    page.locator(`head ${selector}`).getAttribute(attribute);
  expect(await page.title()).toContain('Talkoot');
  expect(await head('meta[property="og:title"]', 'content')).toContain('Njuolla');
  expect(title).toContain('Njuolla');
  expect(await head('meta[name="description"]', 'content')).not.toBe('');
  expect(await head('link[rel="canonical"]', 'href')).toMatch(new RegExp(`/en${address}$`));
  for (const language of ['fi', 'en', 'sv']) {
    const other = await head(`link[rel="alternate"][hreflang="${language}"]`, 'href');
    expect(other).toMatch(new RegExp(`${language === 'fi' ? '' : `/${language}`}${address}$`));
  }
  const image = await context.request.get((await head('meta[property="og:image"]', 'content')) ?? '');
  expect(image.status()).toBe(200);
  expect(image.headers()['content-type']).toBe('image/jpeg');
  expect(sizeOfJpeg(await image.body())).toEqual({ width: 1200, height: 630 });
});

desktop('in forced colours one sees what is chosen, and how far a campaign is', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const backgroundOf = (thing: Locator) => thing.evaluate((one) => getComputedStyle(one).backgroundColor);
  await page.goto('/experiments/');
  const stages = page.getByRole('navigation', { name: 'Vaihe' });
  const chosen = stages.getByRole('link', { name: 'Kaikki vaiheet' });
  await expect(chosen).toHaveAttribute('aria-current', 'true');
  const other = stages.getByRole('link', { name: 'Idea' });
  expect(await backgroundOf(chosen)).not.toBe(await backgroundOf(other));

  const { address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  await page.goto(address);
  const bar = page.getByRole('main').getByRole('img', { name: /tavoitteesta/ });
  const came = bar.locator('> div > div').first();
  expect(await backgroundOf(came)).not.toBe(await backgroundOf(page.locator('body')));
});

phone('the home page and a campaign are readable in Swedish on a phone', async ({ page }) => {
  await page.goto('/sv/');
  expect(await page.locator('html').getAttribute('lang')).toBe('sv');
  await sees(page.getByRole('heading', { level: 1 }));
  await sees(page.getByRole('heading', { level: 2, name: 'Månadstalko' }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const { address } = await demoCampaign('lyktstigen-i-ekenas');
  await page.goto(`/sv${address}`);
  await sees(page.getByRole('heading', { level: 1, name: 'Lyktstigen' }));
  await sees(page.getByRole('heading', { level: 2, name: 'Belöningar' }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

desktop('changing the language keeps the page', async ({ page }) => {
  await page.goto('/info/start/');
  await sees(page.getByRole('heading', { level: 1, name: 'Aloita kampanja tai kokeilu' }));
  await page.getByRole('link', { name: 'SV', exact: true }).click();
  await isAt(page, '/sv/info/start/');
  await sees(page.getByRole('heading', { level: 1, name: 'Starta en kampanj eller ett experiment' }));
  expect(await page.locator('html').getAttribute('lang')).toBe('sv');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

phone('a full page load starts at its own scroll position, not at that of another page', async ({ page }) => {
  const { address } = await demoCampaign('njuolla-ja-revontulten-nuotit');
  const { address: other } = await demoCampaign('suonsilma');
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
  await page.goto(other);
  await page.getByRole('heading', { level: 2, name: 'Tukijat' }).scrollIntoViewIfNeeded();
  const left = await scrolled();
  expect(left).toBeGreaterThan(500);
  await openQuietly(page, address);
  await sees(page.getByRole('heading', { level: 1 }));
  expect(await scrolled()).toBe(0);

  await openQuietly(page, `${other}#updates`);
  const updates = page.getByRole('heading', { level: 2, name: 'Päivitykset' });
  await eventually(
    async () => (await updates.boundingBox())?.y ?? -1,
    (top) => {
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(300);
    },
  );
  const there = await scrolled();
  await untilQuiet(page, () => page.reload());
  expect(Math.abs((await scrolled()) - there)).toBeLessThan(50);
});

async function expectPicture(page: Page) {
  const cover = page.locator('main img');
  await sees(cover);
  const width = await cover.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth));
  expect(width).toBeGreaterThan(0);
}

/** Reads the frame header (SOF0 to SOF2) of a JPEG. */
function sizeOfJpeg(body: Buffer) {
  for (let at = 2; at < body.length; at += 2 + body.readUInt16BE(at + 2)) {
    const marker = body.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { width: body.readUInt16BE(at + 7), height: body.readUInt16BE(at + 5) };
  }
  throw new Error('This is no JPEG.');
}

/** A word that no line of a phone holds. */
const longWord = 'Lämpökeskuksenlaajennustyömaapäällikkökokelaskurssilainen'.repeat(2).slice(0, 90);
/** What people write: titles, names, places and texts. */
const written = new Set(
  [
    'title',
    'tagline',
    'name',
    'first_name',
    'last_name',
    'short_description',
    'description',
    'location',
  ].concat(['creator_name', 'legal_creator', 'display_name', 'place', 'label', 'text', 'city']),
);
const withLongWords = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => withLongWords(one, key));
  if (typeof value === 'string') return written.has(key) ? longWord : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withLongWords(one, name)]));
};

phone('no word of a title, a name or a reward is too long for a phone', async ({ page }) => {
  const { address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
  const monthly = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
  await page.goto('/info/terms/');
  await sees(page.getByRole('heading', { level: 1 }));
  await page.route(/\/content\/(?!search)/, async (route) => {
    const response = await route.fetch();
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response });
    return route.fulfill({ response, json: withLongWords(await response.json()) });
  });
  for (const next of ['/', address, `${address}pledge/`, monthly.address, '/profiles/', '/experiments/']) {
    // Within the app, because a page that is loaded whole has its answers with it.
    await page.evaluate((to) => {
      window.history.pushState({}, '', to);
      window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    }, next);
    await sees(page.getByRole('main').getByText(longWord));
    await page.waitForLoadState('networkidle');
    await expectNoSidewaysScroll(page);
  }
  await page.unrouteAll({ behavior: 'wait' }); // a late answer is not left to a page that has gone
});
