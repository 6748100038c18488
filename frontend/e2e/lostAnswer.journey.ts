import { expect, type BrowserContext } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, en, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';

/** The provider confirms and charges, and its answer is lost with the connection. */
async function loseConfirmation(context: BrowserContext) {
  const confirmation = /\/v1\/payment_intents\/[^/]+\/confirm$/;
  await context.route(confirmation, async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
}

desktop(
  'when the connection breaks after the card was charged, the page says that it does not know, and thanks once it does',
  async ({ page, context, errors }) => {
    const { id, address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
    const email = newAddress('kadonnut');
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '13');
    await fillContact(page, fi, { email, first: 'Kaija', last: 'Kadonnut' });
    await fillCard(page, cards.good);
    errors.expectLost(/./);
    await loseConfirmation(context);
    await pressPay(page, fi);
    await sees(page.getByRole('heading', { name: 'Yhteys katkesi kesken maksun.' }));
    await sees(page.getByText('Älä maksa uudelleen.'));
    expect(await page.getByText(/ei mennyt läpi|toista korttia|Mitään ei veloitettu/).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Maksa/ }).count()).toBe(0);
    await expectAccessible(page);
    await context.setOffline(false);
    await seesThanks(page, fi);
    await theMailTo(email);
    expect(await chargedTo(id, 1300)).toBe(1300);
  },
);

phone(
  'monthly support whose first answer was lost is begun once, also when the page is left meanwhile',
  async ({ page, context, errors }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    await page.goto(`/en${campaign.address}pledge/`);
    await page.getByRole('radio', { name: /Your own amount/ }).check();
    await page.getByLabel('Amount a month').fill('19');
    const email = newAddress('lost');
    await fillContact(page, en, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.good);
    errors.expectLost(/./);
    await loseConfirmation(context);
    // The service does not answer either, once the connection is back.
    let isDown = true;
    await context.route(/\/payments\/api\/subscriptions\/[^/]+\/payment$/, (route) =>
      isDown ? route.abort('connectionrefused') : route.continue(),
    );
    await pressPay(page, en);
    await sees(page.getByText('Do not pay again.'));
    await context.setOffline(false);
    await sees(page.getByRole('heading', { name: /asking the bank/ }));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    // The next visit asks again.
    await page.goto('/en/info/money/');
    await page.goto(`/en${campaign.address}pledge/19`);
    await sees(page.getByText('Do not pay again.'));
    expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0);
    isDown = false;
    await page.getByRole('button', { name: 'Ask now' }).first().tap();
    await sees(page.getByRole('heading', { level: 1, name: /gets .* a month from you/ }));
    await theMailTo(email);
    await eventually(
      () => chargedTo(campaign.id, 1900),
      (charged) => expect(charged).toBe(1900),
    );
  },
);

/** Holds calls until there are so many of them, so that none is answered before the last is made. */
async function holdUntil(context: BrowserContext, calls: RegExp, many: number) {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let held = 0;
  await context.route(calls, async (route) => {
    if (route.request().method() === 'POST' && (held += 1) === many) open?.();
    await opened;
    await route.continue();
  });
}

desktop('two tabs with the same form, pressed at once, charge once', async ({ page, context, errors }) => {
  const { id, address } = await demoCampaign('kurkipelto-takaisin');
  const before = await chargedTo(id, 1400);
  const charged = async () => (await chargedTo(id, 1400)) - before;
  const email = newAddress('kaksi');
  const two = await context.newPage();
  const tabs = [page, two];
  for (const tab of tabs) {
    await tab.goto(`${address}pledge/`);
    await fillSum(tab, fi, '14');
    await fillContact(tab, fi, { email, first: 'Kaisa', last: 'Kahdesti' });
    await fillCard(tab, cards.good);
  }
  // The second one finds the payment confirmed, or already paid.
  errors.expect(/\/v1\/payment_intents\/[^/]+\/confirm$/, 400);
  errors.expect(/\/payments\/api\/pledges\/[^/]+\/setup$/, 409);
  await holdUntil(context, /\/campaigns\/\d+\/pledges\/$/, tabs.length);
  await Promise.all(tabs.map((tab) => pressPay(tab, fi)));
  for (const tab of tabs) await seesThanks(tab, fi);
  await theMailTo(email);
  expect(await charged()).toBe(1400);

  // A third form with the same is asked about.
  await page.goto(`${address}pledge/`);
  await fillSum(page, fi, '14');
  await fillContact(page, fi, { email, first: 'Kaisa', last: 'Kahdesti' });
  await fillCard(page, cards.good);
  await pressPay(page, fi);
  const question = page.getByRole('dialog', { name: /^Annoit saman tuen .* sitten\. Vielä kerran\?$/ });
  await sees(question);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'En maksa uudelleen' }).click();
  await disappears(question);
  expect(await charged()).toBe(1400);
  await pressPay(page, fi);
  await question.getByRole('button', { name: /vielä kerran$/ }).click();
  await seesThanks(page, fi);
  expect(await charged()).toBe(2800);
});
