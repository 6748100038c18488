import { expect, type Page, type Route } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone, type Visitor } from './journey';
import { newAddress, theMailTo } from './mailbox';
import {
  cardFrame,
  cards,
  chargedTo,
  chooseCard,
  fi,
  fillCard,
  fillContact,
  fillSum,
  pressPay,
  seesThanks,
} from './paying';
import { openQuietly } from './quiet';
import { scriptOf } from './scripts';

/**
 * Has requests end by `fail`. Returns what presses a button that asks again: from then on they are answered, but not before
 * the press, since a page that asks again by itself would take the button away.
 */
async function failing(page: Page, url: RegExp, fail: (route: Route) => Promise<void>) {
  let answer = fail;
  await page.route(url, (route) => answer(route));
  return async (press: () => Promise<void>) => {
    let release: () => void = () => undefined;
    const pressed = new Promise<void>((resolve) => (release = resolve));
    answer = async (route) => {
      await pressed;
      await route.continue();
    };
    await press();
    release();
  };
}

const unavailable = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ status: 'unavailable', message: '', request_id: 'journey' }),
};

desktop('a list that fails to load has a retry button', async ({ page, errors }) => {
  errors.expect(/\/content\//, 503);
  await page.goto('/info/money/');
  await page.route(/\/content\/.*(preview|categories)/, (route) => route.fulfill(unavailable));

  await page.getByRole('banner').getByRole('link', { name: 'Kokeilut' }).click();
  await sees(page.getByRole('heading', { level: 1, name: 'Kokeilut' }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.getByRole('banner').getByRole('link', { name: 'Kampanjat' }).click();
  await sees(page.getByRole('heading', { level: 1, name: 'Kampanjat' }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Talkoot, etusivulle' }).first().click();
  await sees(page.getByRole('heading', { level: 1 }));
  await sees(page.getByRole('button', { name: 'Yritä uudelleen' }));
  await expectAccessible(page);

  await page.unroute(/\/content\/.*(preview|categories)/);
  const retry = page.getByRole('button', { name: 'Yritä uudelleen' });
  for (let left = await retry.count(); left > 0; left -= 1) await retry.last().click();
  await disappears(retry);
  await sees(page.getByRole('region', { name: 'Rahoituksessa nyt' }).getByRole('article'));
});

const offlineText = 'Yhteys katkesi.';

/** Does something offline, checks that the notice says so, and goes online again. */
async function offline({ page, context, errors }: Omit<Visitor, 'another'>, act: () => Promise<void>) {
  errors.expectLost(/./);
  await context.setOffline(true);
  await act();
  await sees(page.getByRole('status').filter({ hasText: offlineText }));
  await expectAccessible(page);
  await context.setOffline(false);
  await disappears(page.getByRole('status').filter({ hasText: offlineText }));
}

phone(
  'opening the menu offline keeps the page, and the menu opens when online again',
  async ({ page, context, errors }) => {
    const visitor = { page, context, errors };
    await page.goto('/info/money/');
    await sees(page.getByRole('heading', { level: 1, name: 'Miten raha liikkuu' }));
    await offline(visitor, async () => {
      await page.getByRole('button', { name: 'Valikko' }).tap();
      await sees(page.getByRole('heading', { level: 1, name: 'Miten raha liikkuu' }));
      await expectNoSidewaysScroll(page);
    });
    await sees(page.getByRole('dialog', { name: 'Valikko' }));
  },
);

desktop(
  'signing in offline keeps the page, and the dialog opens when online again',
  async ({ page, context, errors }) => {
    const visitor = { page, context, errors };
    await page.goto('/info/money/');
    await offline(visitor, async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu' }).click();
      await sees(page.getByRole('heading', { level: 1, name: 'Miten raha liikkuu' }));
    });
    await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
  },
);

desktop(
  'changing the language offline keeps the page, and the language changes when online again',
  async ({ page, context, errors }) => {
    const visitor = { page, context, errors };
    await page.goto('/info/money/');
    await offline(visitor, async () => {
      await page.getByRole('link', { name: 'SV', exact: true }).click();
      await sees(page.getByRole('heading', { level: 1, name: 'Miten raha liikkuu' }));
    });
    await isAt(page, '/sv/info/money/');
    await sees(page.getByRole('heading', { level: 1, name: 'Så rör sig pengarna' }));
  },
);

desktop(
  'sharing offline keeps the page, and the dialog opens when online again',
  async ({ page, context, errors }) => {
    const visitor = { page, context, errors };
    const { address, title } = await demoCampaign('kurkipelto-takaisin');
    await openQuietly(page, address);
    await offline(visitor, async () => {
      await page.getByRole('button', { name: 'Jaa' }).click();
      await sees(page.getByRole('heading', { level: 1, name: title }));
    });
    await sees(page.getByRole('dialog', { name: 'Jaa kampanja' }).getByRole('link', { name: 'WhatsApp' }));
    await expectAccessible(page);
  },
);

phone(
  'while the app itself does not load, the page says so and goes on by itself once it does',
  async ({ page, errors }) => {
    const entry = /assets\/main\.[^/]*js$/;
    errors.expectLost(entry);
    let isLost = true;
    await page.route(entry, (route) => (isLost ? route.abort('connectionreset') : route.continue()));
    await page.goto('/sv/search/?q=kasetti');
    await sees(page.getByRole('alert').getByText('Sidan laddas inte helt'));
    await sees(page.getByRole('button', { name: 'Ladda om sidan' }));
    isLost = false;
    await sees(page.getByRole('heading', { level: 1 }));
    await disappears(page.getByRole('alert'));
  },
);

desktop('if a deploy has replaced a chunk, the page stays and offers a reload', async ({ page, errors }) => {
  const dialog = scriptOf('sign-in');
  errors.expect(dialog, 404);
  await page.goto('/info/money/');
  const askAgain = await failing(page, dialog, (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu' }).click();
  await sees(page.getByText('Osa sivusta ei latautunut.'));
  await sees(page.getByText('Sivusta voi olla uusi versio. Lataa sivu uudelleen.'));
  await expectAccessible(page);
  await askAgain(() => page.getByRole('button', { name: 'Lataa sivu uudelleen' }).click());
  // The address names the dialog, so it opens by itself.
  await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
});

phone(
  'if the card form fails to load, Pay is disabled and nothing typed is lost; after a retry it can be paid',
  async ({ page, errors }) => {
    const { id, address } = await demoCampaign('kurkipelto-takaisin');
    const email = newAddress('irti');
    const card = scriptOf('card');
    errors.expectLost(card);
    const askAgain = await failing(page, card, (route) => route.abort('internetdisconnected'));
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '12');
    await fillContact(page, fi, { email, first: 'Irja', last: 'Salo' });
    await chooseCard(page);
    await sees(page.getByRole('alert').getByText('Tiedot eivät latautuneet'));
    for (const pay of await page.getByRole('button', { name: /^Maksa/ }).all())
      expect(await pay.isDisabled()).toBe(true);
    await expectAccessible(page);
    await askAgain(() => page.getByRole('button', { name: 'Yritä uudelleen' }).first().tap());
    await sees(cardFrame(page).locator('#number'));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await theMailTo(email);
    expect(await chargedTo(id, 1200)).toBe(1200);
  },
);

desktop(
  'paying offline loses nothing typed, and the button that pays comes back when online again',
  async ({ page, context, errors }) => {
    const { id, address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
    const email = newAddress('katko');
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '11');
    await fillContact(page, fi, { email, first: 'Kaija', last: 'Katko' });
    await fillCard(page, cards.good);
    errors.expectLost(/./);
    await context.setOffline(true);
    await pressPay(page, fi);
    await sees(page.getByText('Älä maksa uudelleen.'));
    await sees(page.getByText(email));
    await expectAccessible(page);
    await context.setOffline(false);
    await sees(page.getByRole('alert').filter({ hasText: 'Mitään ei veloitettu.' }));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await theMailTo(email);
    expect(await chargedTo(id, 1100)).toBe(1100);
  },
);
