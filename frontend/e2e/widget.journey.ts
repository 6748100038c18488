import { expect, type Page, type Request } from '@playwright/test';
import { anotherSite, article, tags, type AnotherSite } from './anotherSite';
import { eventually, expectAccessible, sees } from './checks';
import { suggestionsAreReady } from './demo';
import { desktop, phone } from './journey';
import { focused, tabTo } from './keys';
import { platform } from './platform';
import { untilQuiet } from './quiet';

const plain = 'body { background: #fff; color: #111 }';
const night = 'body { background: #17161d; color: #eee } body.day { background: #fff }';
const columns = `main > talkoot-suggestions { width: 300px } main.medium > talkoot-suggestions { width: 360px }
  main.wide > talkoot-suggestions { width: 680px }`;

let site: AnotherSite;
desktop.beforeAll(async () => {
  await suggestionsAreReady();
  site = await anotherSite({
    '/light': article(plain + columns, tags()),
    '/dark': article(night, tags(' size="wide"')),
    '/english': article(plain, tags(' lang="en" size="wide" topic="Ympäristö" place="Lieksa"'), 'sv'),
    '/swedish': article(plain, tags(), 'sv'),
    '/silent': article(plain, tags(' topic="avaruuslento"')),
    '/tag': article(
      plain,
      `<aside><script src="${platform().web}/widget.js" async data-size="small" data-lang="en"></script></aside>`,
    ),
  });
});
desktop.afterAll(() => site.close());

const widget = (page: Page) => page.locator('talkoot-suggestions');
const box = (page: Page) => widget(page).locator('.box');

async function seesSuggestions(page: Page, path: string, name: string) {
  await page.goto(site.origin + path);
  await sees(widget(page).getByRole('region', { name }).getByRole('listitem').getByRole('link'));
}

desktop(
  'a page of another site under a strict policy: one call, no cookies, nothing stored',
  async ({ page, context }) => {
    // Somebody who has been on the platform: what it may have left in the browser is not sent.
    await context.addCookies([{ name: 'seen', value: '1', url: platform().web, sameSite: 'Lax' }]);
    const sent: Request[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(platform().web)) sent.push(request);
    });
    await untilQuiet(page, () => seesSuggestions(page, '/light', 'Lähde mukaan'));

    const paths = sent.map((request) => new URL(request.url()).pathname);
    const pictures = paths.filter((path) => path.startsWith('/media/384x240/'));
    expect(paths.filter((path) => !pictures.includes(path)).sort()).toEqual([
      '/content/recommendations/fi/',
      '/widget.js',
    ]);
    expect(pictures.length).toBeGreaterThan(0);
    for (const request of sent) {
      const headers = await request.allHeaders();
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('authorization');
      if (!request.url().endsWith('/widget.js')) expect(headers).not.toHaveProperty('referer');
      const response = await request.response();
      expect(response?.headers()).not.toHaveProperty('set-cookie');
      expect(response?.headers()).toMatchObject({ 'cross-origin-resource-policy': 'cross-origin' });
    }
    const call = sent.find((request) => request.url().includes('/recommendations/'));
    expect(call?.method()).toBe('GET');
    expect((await call?.response())?.headers()).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(
      await page.evaluate(async () => ({
        cookie: document.cookie,
        stored: localStorage.length + sessionStorage.length,
        databases: (await indexedDB.databases()).length,
        globals: Object.keys(window).filter((name) => /talkoot/i.test(name)),
      })),
    ).toEqual({ cookie: '', stored: 0, databases: 0, globals: [] });
    // A link leads to the platform, in the same window.
    await widget(page).getByRole('listitem').getByRole('link').first().click();
    await page.waitForURL((url) => url.origin === platform().web);
  },
);

desktop('the widget follows its page: colours, typeface and width', async ({ page }) => {
  await seesSuggestions(page, '/light', 'Lähde mukaan');
  const look = () =>
    box(page).evaluate((part) => {
      const { backgroundColor, fontFamily, letterSpacing, textTransform } = getComputedStyle(part);
      const { theme, size } = part.dataset;
      return { backgroundColor, fontFamily, letterSpacing, textTransform, theme, size };
    });
  const light = { backgroundColor: 'rgb(255, 255, 255)', theme: 'light' };
  expect(await look()).toEqual({
    ...light,
    fontFamily: 'Georgia, serif',
    letterSpacing: 'normal',
    textTransform: 'none',
    size: 'small',
  });
  for (const [size, shown] of [
    ['medium', 3],
    ['wide', 3],
    ['small', 1],
  ] as const) {
    await page.locator('main').evaluate((main, name) => main.setAttribute('class', name), size);
    await eventually(look, (now) => expect(now.size).toBe(size));
    expect(await widget(page).getByRole('listitem').filter({ visible: true }).count()).toBe(shown);
    const [inner, outer] = await box(page).evaluate((part) => [part.scrollWidth, part.clientWidth]);
    expect(inner).toBe(outer);
  }

  await seesSuggestions(page, '/dark', 'Lähde mukaan');
  expect(await look()).toMatchObject({ theme: 'dark', backgroundColor: 'rgb(20, 29, 25)', size: 'wide' });
  await page.locator('body').evaluate((body) => body.setAttribute('class', 'day'));
  await eventually(look, (now) => expect(now).toMatchObject(light));
  // What a page asks for is the most: three pictures side by side do not fit into a phone's column.
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(look, (now) => expect(now.size).toBe('medium'));
  await page.setViewportSize({ width: 320, height: 640 });
  await eventually(look, (now) => expect(now.size).toBe('small'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

desktop('the widget speaks the page’s language, or the one it is told', async ({ page }) => {
  await seesSuggestions(page, '/english', 'Join in');
  await sees(widget(page).getByText('No cookies, no tracking'));
  await expectAccessible(page);
  await seesSuggestions(page, '/swedish', 'Kom med');
  await expectAccessible(page);
  // A topic of nothing is not filled up.
  await page.goto(`${site.origin}/silent`);
  await sees(widget(page).getByText('Tästä aiheesta on hiljaista'));
  await sees(widget(page).getByRole('link', { name: 'Katso, mitä on auki' }));
  await expectAccessible(page);
});

phone('a script tag alone puts the widget where it stands', async ({ page }) => {
  await seesSuggestions(page, '/tag', 'Join in');
  expect(await page.locator('aside > talkoot-suggestions').count()).toBe(1);
  expect(await box(page).getAttribute('data-size')).toBe('small');
  await expectAccessible(page);
});

desktop('the widget by the keyboard alone', async ({ page }) => {
  await seesSuggestions(page, '/dark', 'Lähde mukaan');
  const passed: string[] = [];
  for (let stop = 0; stop < 5; stop += 1) {
    await page.keyboard.press('Tab');
    passed.push(await focused(page)); // fails if it cannot be seen
  }
  expect(passed[0]).toBe('Talkoot');
  expect(passed[4]).toBe('Miksi nämä?');
  await page.keyboard.press('Enter');
  await sees(widget(page).getByText('Sinusta emme tiedä mitään.'));
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.origin === platform().web);
});

desktop('while the platform is down, the page is as if there were no widget', async ({ page, errors }) => {
  errors.expectLost(/\/recommendations\/|widget\.js/);
  for (const lost of ['**/content/recommendations/**', '**/widget.js']) {
    await page.route(lost, (route) => route.abort());
    await page.goto(`${site.origin}/light`);
    await eventually(
      () => widget(page).evaluate((host) => host.getBoundingClientRect().height),
      (height) => expect(height).toBe(0),
    );
    await sees(page.getByText('Talkoissa oli kolmekymmentä.'));
    await page.unroute(lost);
  }
  errors.expect(/\/recommendations\//, 503);
  await page.route('**/content/recommendations/**', (route) =>
    route.fulfill({ status: 503, headers: { 'Access-Control-Allow-Origin': '*' }, body: 'x' }),
  );
  await page.goto(`${site.origin}/light`);
  await eventually(
    () => widget(page).evaluate((host) => host.getBoundingClientRect().height),
    (height) => expect(height).toBe(0),
  );
});

phone('the test bed shows the widget as it is embedded, and the tags to copy', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/recommendations/');
  await sees(widget(page).getByRole('region', { name: 'Lähde mukaan' }));
  await page.getByLabel('Sivun paikka').fill('Lieksa');
  await page.getByRole('radio', { name: 'EN', exact: true }).check({ force: true });
  await sees(
    widget(page)
      .getByRole('region', { name: 'Join in' })
      .or(widget(page).getByText('Nothing on this topic right now')),
  );
  await page.getByRole('button', { name: 'Kopioi upotus' }).click();
  await sees(page.getByText('Upotus on leikepöydällä'));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`<script src="${platform().web}/widget.js" async></script>`);
  expect(copied).toContain('place="Lieksa"');
  await expectAccessible(page);

  await page.goto('/en/recommendations/');
  await tabTo(page, 'Copy the snippet');
  expect(await focused(page)).toBe('Copy the snippet');
  await expectAccessible(page);
});
