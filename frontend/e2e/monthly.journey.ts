import { expect } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { openSupport } from './monthly';
import { asNew } from './session';
import { newAccount } from './signing';
import {
  cards,
  challenge,
  chargedTo,
  en,
  expectRefusal,
  fi,
  fillCard,
  fillContact,
  pressPay,
} from './paying';

desktop(
  'a backer supports monthly with 3-D Secure, changes, skips, pauses, resumes, changes the card and stops',
  async ({ page }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const before = await chargedTo(campaign.id);
    await page.goto(campaign.address);
    const panel = page.getByRole('region', { name: 'Rahoitus' });
    const amounts = panel.getByRole('group', { name: 'Paljonko kuukaudessa?' });
    await amounts.getByRole('button').nth(1).click();
    await sees(panel.getByText(/veloitetaan nyt, sitten joka kuun \d+\./));
    await expectAccessible(page);
    await panel.getByRole('link', { name: /^Tue .* kuukaudessa$/ }).click();
    await isAt(page, /\/pledge\/\d+$/);

    const account = newAccount('kuukausi');
    await asNew(page, account); // whoever changes their support on its page has an account
    await fillContact(page, fi, account);
    await fillCard(page, cards.secure);
    await expectAccessible(page);
    await pressPay(page, fi);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /saa sinulta .* kuukaudessa/ }));
    await isAt(page, /\/subscription-success\/$/);
    await sees(page.getByText(/^TM-\d{4}-\d{6}$/));
    await expectAccessible(page);
    await eventually(
      () => chargedTo(campaign.id),
      (charged) => expect(charged).toBeGreaterThan(before),
    );

    await openSupport(page, 'Hallitse tukeasi');
    const next = page.getByRole('region', { name: 'Seuraava veloitus' });
    await sees(next);
    await expectAccessible(page);

    const levels = page.getByRole('group', { name: 'Tukesi kuukaudessa' });
    await levels.getByRole('radio', { name: /Oma summa/ }).check();
    await page.getByLabel('Summa kuukaudessa').fill('9,50');
    await page.getByRole('button', { name: /^Muuta: 9,50/ }).click();
    await sees(next.getByText(/alkaen 9,50/));

    await page.getByRole('button', { name: 'Jätä väliin' }).click();
    await page.getByRole('button', { name: 'Jatka tukea' }).click();
    await sees(page.getByRole('button', { name: 'Jätä väliin' }));
    await page.getByRole('button', { name: 'Tauolle' }).click();
    await sees(page.getByText(/^Tuki on tauolla\./));
    await page.getByRole('button', { name: 'Jatka tukea' }).click();
    await disappears(page.getByText(/^Tuki on tauolla\./));

    await next.getByRole('button', { name: 'Vaihda kortti' }).click();
    await fillCard(page, cards.good);
    await page.getByRole('button', { name: 'Tallenna kortti' }).click();
    await sees(next.getByText(/4242/));

    await page.getByRole('button', { name: 'Lopeta tuki' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Lopeta tuki' }).click();
    await sees(page.getByText(/^Tuki päättyy .* Mitään ei enää veloiteta\.$/));
    await expectAccessible(page);
  },
);

phone(
  'on a phone, in English: a declined first card keeps what was typed, and another one begins the support',
  async ({ page, errors }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    await page.goto(`/en${campaign.address}`);
    await page.getByRole('group', { name: 'How much a month?' }).getByRole('button').nth(1).click();
    await page
      .getByRole('link', { name: /^Support with .* a month$/ })
      .first()
      .click();
    await expectNoSidewaysScroll(page);
    const email = newAddress('monthly');
    await fillContact(page, en, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.declined);
    expectRefusal(errors);
    await pressPay(page, en);
    await sees(page.getByText('Your choice is kept. Try another card.'));
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await fillCard(page, cards.good);
    await pressPay(page, en);
    await sees(page.getByRole('heading', { level: 1, name: /gets .* a month from you/ }));
    await openSupport(page, 'Manage your support');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the links' }).click();
    await sees(page.getByText('If the address has pledges, the links are on their way.'));
    await theMailTo(email, 'The links to your support');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(page);
  },
);

desktop('a first month that its bank confirms later is on its way on every page', async ({ page }) => {
  const { address } = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
  const account = newAccount('confirmed-later');
  await page.goto(`/en${address}pledge/`);
  await asNew(page, account);
  await page.getByRole('radio', { name: /Your own amount/ }).check();
  await page.getByLabel('Amount a month').fill('18');
  await fillContact(page, en, account);
  await fillCard(page, cards.takesLater);
  await pressPay(page, en);
  await sees(page.getByText('The bank is confirming the payment', { exact: true }));
  const id = await openSupport(page, 'Manage your support');
  await sees(page.getByText(/^The bank is confirming the payment\./));
  await sees(page.getByText('Being charged'));
  await page.goto('/en/profile/me/subscriptions/');
  await sees(page.getByText('The bank is confirming the payment'));
  await page.goto(`/en/${id}/_/subscription-success/`);
  await sees(page.getByText('The bank is confirming the payment', { exact: true }));
  await expect(page.getByRole('link', { name: 'Go on to pay' })).toHaveCount(0);
});
