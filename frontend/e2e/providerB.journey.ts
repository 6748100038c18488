import { expect } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { ask, demoCampaign, type DemoCampaign } from './demo';
import { desktop } from './journey';
import { loseAnswer, seesUnknown } from './losing';
import { linkIn, theMailTo } from './mailbox';
import type { PageErrors } from './pageErrors';
import { cards, en, fi, fillCard, fillSum, pressPay, seesThanks } from './paying';
import { platform } from './platform';
import {
  cardsB,
  creator,
  fillAccount,
  fillCardB,
  fillOrder,
  leave,
  linkToA,
  methodsOf,
  setVerified,
  slug,
  switchB,
} from './providerB';
import { as, asNew } from './session';
import { newAccount } from './signing';

interface Figures {
  campaign: { funding_reached: number; funding_settling: number };
}

// One after the other: the first counts what the campaign has been given meanwhile.
desktop.describe.configure({ mode: 'default' });

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
  const remove = page.getByRole('button', { name: 'Poista kortti' });
  await remove.click();
  await disappears(remove); // removed: until then it stands in the card's place
  await toAnother();
  await sees(page.locator('input[name="method"][value="card"]'));
  await expect(kept).toHaveCount(0);
});

/** Expects that nothing begins at B: it refuses, and the page asks whether something was paid. */
function refusesB(errors: PageErrors) {
  errors.expect(/\/api\/pledges\/mangopay\//, 503);
  errors.expect(/\/api\/pledges\/[^/]+\/payment$/, 404);
}

/** Waits until a campaign can be paid by these methods. */
const isPaidBy = (campaign: DemoCampaign, ...methods: string[]) =>
  eventually(
    () => methodsOf(campaign),
    (now) => expect(now).toEqual(methods),
  );

desktop(
  'a provider that is switched off in the middle leaves the other way, and a mailed link pays what was begun there',
  async ({ page, another, errors }) => {
    const campaign = await demoCampaign(slug);
    // A bank refuses this sum at B, and its backer leaves.
    const left = await another();
    await left.setViewportSize({ width: 390, height: 844 });
    const leaver = await fillOrder(left, en, `/en${campaign.address}`, '333.05');
    await fillCardB(left, cardsB.good);
    const made = left.waitForResponse((answer) => /\/campaigns\/\d+\/pledges\/$/.test(answer.url()));
    await pressPay(left, en);
    const { pledge } = (await (await made).json()) as { pledge: { pledge_id: string } };
    await sees(left.getByRole('alert').filter({ hasText: 'Nothing was charged' }));
    await left.goto('/en/');

    await linkToA(campaign, true);
    try {
      await fillOrder(page, fi, campaign.address, '31');
      await fillAccount(page);
      errors.expect(/\/api\/pledges\/mangopay\/[a-z]+-bank-accounts?$/, 422);
      await switchB('off');
      await page.getByRole('button', { name: /^Vahvista 31,00/ }).click();
      await sees(page.getByText(/^Suoraveloitus ei ole juuri nyt käytössä/));
      await expect(page.locator('input[name="method"][value="bank"]')).toHaveCount(0);
      await expectAccessible(page);
      await fillCard(page, cards.good);
      await pressPay(page, fi);
      await seesThanks(page, fi);

      await leave(pledge.pledge_id);
      const mail = await theMailTo(leaver, 'Your pledge is waiting to be paid');
      await left.goto(linkIn(mail, /Pay another way/));
      await fillCard(left, cards.good);
      await expectAccessible(left);
      await expectNoSidewaysScroll(left);
      await pressPay(left, en);
      await sees(left.getByRole('heading', { level: 1, name: 'Your pledge is paid' }));
    } finally {
      await linkToA(campaign, false);
      await switchB('on');
    }
  },
);

desktop(
  'where the only provider is switched off in the middle, the checkout says so and takes a reminder',
  async ({ page, errors }) => {
    const campaign = await demoCampaign(slug);
    await page.setViewportSize({ width: 390, height: 844 });
    const email = await fillOrder(page, en, `/en${campaign.address}`, '32');
    await fillCardB(page, cardsB.good);
    refusesB(errors);
    await switchB('off');
    try {
      await pressPay(page, en);
      await sees(page.getByRole('heading', { name: 'This campaign cannot take payments right now.' }));
      await expect(page.getByRole('button', { name: en.pay })).toHaveCount(0);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await expect(page.getByLabel('Email').last()).toHaveValue(email);
      await page.getByRole('button', { name: 'Tell me when I can pay' }).click();
      await sees(page.getByText('We will tell you in one message when you can pay again.'));
    } finally {
      await switchB('on');
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await fillCardB(page, cardsB.good);
    await pressPay(page, en);
    await seesThanks(page, en);
  },
);

desktop(
  'a creator whom B has not verified any more is told what to do: nothing new is taken, and what was under way is paid',
  async ({ page, another, errors }) => {
    const campaign = await demoCampaign(slug);
    const owner = await another();
    await as(owner, creator);
    const answer = owner.waitForResponse(/\/api\/users\/me\/payees$/);
    await owner.goto('/en/profile/me/payouts/');
    const { payees } = (await (await answer).json()) as { payees: { account_id: string }[] };
    const user = payees[0]?.account_id ?? '';
    await sees(owner.getByText('Can be paid', { exact: true }).first());

    await fillOrder(page, fi, campaign.address, '34');
    await fillCardB(page, cardsB.secure);
    await pressPay(page, fi);
    await page.waitForURL(`${platform().mangopay}/3ds?**`);
    const second = await another();
    await fillOrder(second, fi, campaign.address, '35');
    await fillCardB(second, cardsB.good);

    refusesB(errors);
    await setVerified(user, false);
    try {
      await isPaidBy(campaign);
      await pressPay(second, fi);
      await sees(second.getByText('Tähän kampanjaan ei voi juuri nyt maksaa.'));
      await page.locator('button[value="pass"]').click();
      await seesThanks(page, fi);

      const mail = await theMailTo(creator.email, 'needs you');
      await owner.setViewportSize({ width: 390, height: 844 });
      await owner.goto(linkIn(mail, /See your payout account/));
      await sees(owner.getByRole('button', { name: 'Continue' }));
      await expectAccessible(owner);
      await expectNoSidewaysScroll(owner);
    } finally {
      await setVerified(user, true);
    }
    await isPaidBy(campaign, 'card', 'bank', 'page');
  },
);
