import { expect } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { loseAnswer, lookAfterChallenge, seesUnknown } from './losing';
import { theMailsTo, theMailTo } from './mailbox';
import { openByMail, openSupport, passToNextMonth } from './monthly';
import { asNew } from './session';
import { newAccount } from './signing';
import { cards, challenge, en, fi, fillCard, fillContact, paymentsTo, pressPay } from './paying';

/** How many months of a sum are paid, and how many objects at the provider they have. */
async function monthsOf(campaign: number, cents: number) {
  const months = await paymentsTo(campaign, cents);
  return { begun: months.length, paid: months.filter(({ status }) => status === 'succeeded').length };
}

desktop(
  'the next month is charged, its card dies, and the link in the mail leads to another one with 3-D Secure',
  async ({ page, another }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const account = newAccount('kausi');
    const { email } = account;
    await asNew(page, account);
    await page.goto(`${campaign.address}pledge/13`);
    await fillContact(page, fi, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.secureOnce);
    await pressPay(page, fi);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /saa sinulta 13\s€ kuukaudessa/ }));
    const subscription = await openSupport(page, 'Hallitse tukeasi');

    await passToNextMonth(subscription);
    await theMailsTo(email, 2, 'Kuitti');
    expect(await monthsOf(campaign.id, 1300)).toEqual({ begun: 2, paid: 2 });
    await page.reload();
    await sees(page.getByText(/2 veloitusta, yhteensä 26,00\s€/));
    await expectAccessible(page);

    const next = page.getByRole('region', { name: 'Seuraava veloitus' });
    await next.getByRole('button', { name: 'Vaihda kortti' }).click();
    await fillCard(page, cards.dies);
    await page.getByRole('button', { name: 'Tallenna kortti' }).click();
    await sees(next.getByText(/0341/));
    await passToNextMonth(subscription);

    // Whoever has the link needs no account, nor this browser.
    const elsewhere = await another();
    await openByMail(elsewhere, email, 'ei mennyt läpi');
    const pay = elsewhere.getByRole('button', { name: /^Maksa 13,00/ });
    await sees(pay);
    await expectAccessible(elsewhere);
    await fillCard(elsewhere, cards.secure);
    await pay.click();
    await challenge(elsewhere).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await disappears(pay);
    await expectAccessible(elsewhere);
    await theMailsTo(email, 3, 'Kuitti');
    expect(await monthsOf(campaign.id, 1300)).toEqual({ begun: 3, paid: 3 });
    await page.reload();
    await sees(next.getByText(/3184/));
    await sees(page.getByText(/3 veloitusta, yhteensä 39,00\s€/));
    await expectAccessible(page);
  },
);

phone(
  'on a phone, in English: a month that its bank wants confirmed is paid on the page of the support, after a confirmation that failed, once, though the answer is lost',
  async ({ page, context, errors }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const account = newAccount('month');
    const { email } = account;
    await asNew(page, account);
    await page.goto(`/en${campaign.address}pledge/14`);
    await fillContact(page, en, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.secure);
    await pressPay(page, en);
    await challenge(page).getByRole('button', { name: 'Complete authentication' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /gets €14 a month from you/ }));
    await passToNextMonth(await openSupport(page, 'Manage your support'));

    await theMailTo(email, 'wants you to confirm');
    await page.reload();
    const due = page.getByRole('region', { name: /€14.00/ });
    await sees(due);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await fillCard(page, cards.secure);
    const pay = due.getByRole('button', { name: /^Pay €14.00/ });
    await pay.click();
    await challenge(page).getByRole('button', { name: 'Fail authentication' }).click();
    await sees(due.getByRole('alert').getByText(/\S/));
    await expectAccessible(page);
    await pay.click();
    await sees(challenge(page).getByRole('heading'));
    errors.expectLost(/./);
    await loseAnswer(context, lookAfterChallenge);
    await challenge(page).getByRole('button', { name: 'Complete authentication' }).click();
    await seesUnknown(page);
    await expectNoSidewaysScroll(page);
    await context.setOffline(false);
    await disappears(due);
    await sees(page.getByRole('region', { name: 'Next charge' }));
    await eventually(
      () => monthsOf(campaign.id, 1400),
      (months) => expect(months).toEqual({ begun: 2, paid: 2 }),
    );
    await expectNoSidewaysScroll(page);
    await isAt(page, /\/en\/subscriptions\//);
  },
);
