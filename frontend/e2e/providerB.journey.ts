import { expect } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, type Visitor } from './journey';
import { loseAnswer, seesUnknown } from './losing';
import { newAddress } from './mailbox';
import { en, fi, fillContact, fillSum, pressPay, seesThanks, type Words } from './paying';
import { platform } from './platform';
import { newAccount } from './signing';
import { asNew } from './session';

type Page = Visitor['page'];

interface Figures {
  campaign: { funding_reached: number; funding_settling: number };
}

/** The demo's campaign at provider B, and test cards there. */
const slug = 'turn-it-over-the-puhos-tape';
const cardsB = { good: '4970107111111119', secure: '4970105181818183' } as const;

// One after the other: the first counts what the campaign has been given meanwhile.
desktop.describe.configure({ mode: 'default' });

async function fillOrder(page: Page, words: Words, address: string, sum: string) {
  await page.goto(`${address}pledge/`);
  await fillSum(page, words, sum);
  await fillContact(page, words, { email: newAddress('aino'), first: 'Aino', last: 'Virta' });
}

async function fillCardB(page: Page, number: string) {
  await page.locator('input[name="method"][value="card"]').check();
  await page.locator('[autocomplete="cc-number"]').fill(number);
  await page.locator('[autocomplete="cc-exp-month"]').fill('11');
  await page.locator('[autocomplete="cc-exp-year"]').fill('2032');
  await page.locator('[autocomplete="cc-csc"]').fill('123');
}

async function fillAccount(page: Page) {
  await page.locator('input[name="method"][value="bank"]').check();
  await page.getByLabel(/IBAN/).fill('FI21 1234 5600 0007 85');
  await page.getByLabel('Katuosoite').fill('Opintie 14 B 3');
  await page.getByLabel('Postinumero').fill('72400');
  await page.getByLabel('Postitoimipaikka').fill('Pielavesi');
}

desktop(
  'a campaign at provider B is paid by card with 3-D Secure, refused once, by the hosted page and by debit',
  async ({ page, another }) => {
    const campaign = await demoCampaign(slug);
    const before = await ask<Figures>(`/content/campaigns/${campaign.id}/fi/`);

    // The sum has this card refused; nothing but the card is typed again.
    await fillOrder(page, fi, campaign.address, '333,05');
    await fillCardB(page, cardsB.good);
    await expectAccessible(page);
    await pressPay(page, fi);
    await sees(page.getByRole('alert').filter({ hasText: 'Mitään ei veloitettu' }));
    await fillSum(page, fi, '40');
    await fillCardB(page, cardsB.secure);
    await pressPay(page, fi);
    await page.waitForURL(`${platform().mangopay}/3ds?**`);
    await page.locator('button[value="pass"]').click();
    await seesThanks(page, fi);
    await sees(page.getByText('Visa ···· 8183'));

    const other = await another();
    await fillOrder(other, en, `/en${campaign.address}`, '30');
    await other.locator('input[name="method"][value="page"]').check();
    await pressPay(other, en);
    await other.waitForURL(`${platform().mangopay}/payment?**`);
    await other.locator('#number').fill(cardsB.good);
    await other.locator('#expiry').fill('1132');
    await other.locator('#cvx').fill('123');
    await other.locator('button[value="pass"]').click();
    await seesThanks(other, en);

    const third = await another();
    await fillOrder(third, fi, campaign.address, '50');
    await fillAccount(third);
    await expectAccessible(third);
    await third.getByRole('button', { name: /^Vahvista 50,00\s€ pankissa/ }).click();
    await third.waitForURL(`${platform().mangopay}/mandate?**`);
    await third.locator('button[value="pass"]').click();
    await isAt(third, /^\/payment-return\//);
    await sees(third.getByRole('heading', { level: 1, name: /^Pankki vahvistaa 50,00\s€/ }));
    await expectAccessible(third);
    await third.reload(); // it debits once
    await sees(third.getByRole('heading', { level: 1, name: /^Pankki vahvistaa/ }));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/en${campaign.address}pledge/`);
    for (const method of ['card', 'bank', 'page']) {
      await page.locator(`input[name="method"][value="${method}"]`).check();
      await expectNoSidewaysScroll(page);
    }

    await eventually(
      () => ask<Figures>(`/content/campaigns/${campaign.id}/fi/`),
      ({ campaign: now }) => {
        expect(now.funding_reached - before.campaign.funding_reached).toBe(70);
        expect(now.funding_settling - before.campaign.funding_settling).toBe(50);
      },
    );
  },
);

desktop(
  'at provider B what was not answered is asked for: a card, the return from its bank, and a debit',
  async ({ page, context, errors, another }) => {
    const campaign = await demoCampaign(slug);
    const figures = () => ask<Figures>(`/content/campaigns/${campaign.id}/fi/`);
    const before = await figures();
    errors.expectLost(/./);
    await fillOrder(page, fi, campaign.address, '21');
    await fillCardB(page, cardsB.good);
    await loseAnswer(context, { method: 'POST', address: /\/mangopay\/payin$/ });
    await pressPay(page, fi);
    await seesUnknown(page);
    await context.setOffline(false);
    await seesThanks(page, fi);

    const look = /\/payments\/api\/pledges\/[^/]+\/payment$/;
    const other = await another();
    await fillOrder(other, en, `/en${campaign.address}`, '22');
    await fillCardB(other, cardsB.secure);
    await pressPay(other, en);
    await other.waitForURL(`${platform().mangopay}/3ds?**`);
    await other.route(look, (route) => route.abort('connectionrefused'));
    await other.locator('button[value="pass"]').click();
    await seesUnknown(other);
    await other.goto(`/en${campaign.address}pledge/`);
    await seesUnknown(other);
    await other.unroute(look);
    await other.getByRole('button', { name: 'Ask now' }).click();
    await seesThanks(other, en);

    const third = await another();
    await fillOrder(third, fi, campaign.address, '23');
    await fillAccount(third);
    await third.getByRole('button', { name: /^Vahvista 23,00/ }).click();
    await third.waitForURL(`${platform().mangopay}/mandate?**`);
    await loseAnswer(third.context(), { method: 'POST', address: /\/payin-direct-debit$/ });
    await third.locator('button[value="pass"]').click();
    await seesUnknown(third);
    await third.context().setOffline(false);
    await sees(third.getByRole('heading', { level: 1, name: /^Pankki vahvistaa 23,00/ }));

    await eventually(figures, ({ campaign: now }) => {
      expect(now.funding_reached - before.campaign.funding_reached).toBe(43);
      expect(now.funding_settling - before.campaign.funding_settling).toBe(23);
    });
  },
);

desktop('a card that is kept pays the next pledge by one press, and is removed', async ({ page }) => {
  const campaign = await demoCampaign(slug);
  await asNew(page, newAccount('pyry'));
  await page.goto(`${campaign.address}pledge/`);
  await fillSum(page, fi, '25');
  await fillCardB(page, cardsB.good);
  await page.getByLabel('Muista kortti seuraavalla kerralla').check();
  await pressPay(page, fi);
  await seesThanks(page, fi);

  const kept = page.getByRole('radio', { name: 'Visa ···· 1119' });
  const toAnother = async () => {
    await page.goto(`${campaign.address}pledge/`);
    await page.getByRole('radio', { name: 'Anna toinen tuki' }).check();
    await page.getByRole('button', { name: 'Jatka' }).click();
  };
  await toAnother();
  await sees(kept);
  await expect(kept).toBeChecked();
  await fillSum(page, fi, '26');
  await expectAccessible(page);
  await pressPay(page, fi);
  await seesThanks(page, fi);

  await toAnother();
  await page.getByRole('button', { name: 'Poista Visa ···· 1119' }).click();
  await page.getByRole('button', { name: 'Poista kortti' }).click();
  await disappears(kept);
  await toAnother();
  await sees(page.locator('input[name="method"][value="card"]'));
  await expect(kept).toHaveCount(0);
});
