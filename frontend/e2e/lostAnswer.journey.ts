import { expect, type BrowserContext } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { loseAnswer, lookAfterChallenge, seesUnknown } from './losing';
import { newAddress, theMailTo } from './mailbox';
import {
  cards,
  challenge,
  chargedTo,
  en,
  fi,
  fillCard,
  fillContact,
  fillSum,
  pressPay,
  seesThanks,
} from './paying';

/** The provider confirms and charges. */
const confirmation = { method: 'POST', address: /\/v1\/payment_intents\/[^/]+\/confirm$/ };

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
    await loseAnswer(context, confirmation);
    await pressPay(page, fi);
    await sees(page.getByRole('heading', { name: 'Yhteys katkesi kesken maksun.' }));
    await seesUnknown(page);
    await expectAccessible(page);
    await context.setOffline(false);
    await seesThanks(page, fi);
    await theMailTo(email);
    expect(await chargedTo(id, 1300)).toBe(1300);
  },
);

desktop(
  'what came of 3-D Secure, and of the payment page, is asked for until it is known, also on the next visit',
  async ({ page, context, errors, another }) => {
    const { id, address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
    errors.expectLost(/./);
    const email = newAddress('vahvistus');
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '15');
    await fillContact(page, fi, { email, first: 'Kaija', last: 'Kadonnut' });
    await fillCard(page, cards.secure);
    await pressPay(page, fi);
    await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
    await loseAnswer(context, lookAfterChallenge);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await seesUnknown(page);
    await context.setOffline(false);
    await seesThanks(page, fi);
    expect(await chargedTo(id, 1500)).toBe(1500);

    const other = await another();
    await other.goto(`${address}pledge/`);
    await fillSum(other, fi, '16');
    await fillContact(other, fi, { email: newAddress('sivu'), first: 'Kaija', last: 'Kadonnut' });
    await other.getByRole('radio', { name: /Maksusivu/ }).check();
    await pressPay(other, fi);
    await other.getByLabel('Kortin numero').fill(cards.good);
    await other.getByLabel('Voimassa').fill('12 / 30');
    await other.getByLabel('Turvakoodi').fill('123');
    await other.getByLabel('Nimi kortissa').fill('Kaija Kadonnut');
    const look = /\/payments\/api\/pledges\/[^/]+\/payment$/;
    await other.route(look, (route) => route.abort('connectionrefused'));
    await other.getByRole('button', { name: /^Maksa/ }).click();
    await other.waitForURL(/\/payment-return\//);
    await seesUnknown(other);
    await expectAccessible(other);
    await expectNoSidewaysScroll(other);
    await other.goto(`${address}pledge/`);
    await seesUnknown(other);
    await other.unroute(look);
    await other.getByRole('button', { name: 'Kysy nyt' }).click();
    await seesThanks(other, fi);
    expect(await chargedTo(id, 1600)).toBe(1600);
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
    await loseAnswer(context, confirmation);
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
    await seesUnknown(page);
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
