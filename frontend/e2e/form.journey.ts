import { expect } from '@playwright/test';
import { expectAccessible, isAt, sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop } from './journey';
import { newAddress, theMailTo } from './mailbox';
import {
  cards,
  chooseCard,
  cardFrame,
  chargedTo,
  fi,
  fillCard,
  fillContact,
  fillSum,
  paymentsTo,
  pressPay,
  seesThanks,
} from './paying';

desktop(
  'the chosen reward is in the path, back restores the earlier choice, and a reload loses nothing',
  async ({ page }) => {
    const { address } = await demoCampaign('sata-kanteletta-kouluille');
    const email = newAddress('kerttu');
    await page.goto(`${address}pledge/`);
    await chooseCard(page);
    const one = page.getByRole('radio', { name: /^Yksi kieli/ });
    const other = page.getByRole('radio', { name: /^Kanteleen kummi/ });
    await one.click();
    await isAt(page, /\/pledge\/\d+$/);
    const first = page.url();
    await other.click();
    await page.waitForURL((url) => url.href !== first);
    await sees(page.getByRole('button', { name: 'Maksa 280,00 €' }));
    await page.goBack();
    await page.waitForURL(first);
    await sees(page.getByRole('button', { name: 'Maksa 15,00 €' }));
    expect(await one.isChecked()).toBe(true);

    await fillContact(page, fi, { email, first: 'Kerttu', last: 'Aalto' });
    await page.getByLabel('Määrä').fill('3');
    await page.reload();
    await sees(page.getByRole('button', { name: 'Maksa 45,00 €' }));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    expect(await page.getByLabel(fi.firstName).inputValue()).toBe('Kerttu');
  },
);

desktop('missing values are named, and the first has the focus', async ({ page }) => {
  const { id, address } = await demoCampaign('sata-kanteletta-kouluille');
  await page.goto(`${address}pledge/`);
  await chooseCard(page);
  await sees(cardFrame(page).locator('#number'));
  await page.getByRole('button', { name: 'Maksa', exact: true }).click();
  await sees(page.getByText('Valitse jokin näistä.'));
  expect(
    await page
      .getByRole('radio')
      .first()
      .evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await expectAccessible(page);
  await page.getByRole('radio', { name: fi.withoutReward }).check();
  await expectAccessible(page);
  await page.getByRole('radio', { name: /^10/ }).check();
  await pressPay(page, fi);
  await sees(page.getByText(/kohtaa kaipaa korjausta/));
  expect(await page.getByLabel(fi.email).evaluate((field) => field === document.activeElement)).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sukunimi' }).click();
  expect(await page.getByLabel(fi.lastName).evaluate((field) => field === document.activeElement)).toBe(true);

  await fillContact(page, fi, { email: newAddress('tyhja'), first: 'Tyyne', last: 'Hallikainen' });
  await pressPay(page, fi);
  await sees(cardFrame(page).getByText('Kortin numero on vajaa.'));
  await expectAccessible(page);
  expect(await paymentsTo(id)).toHaveLength(0);
});

desktop('a double click on Pay makes one pledge', async ({ page }) => {
  const { id, address } = await demoCampaign('leipomo-kallioon-juuri-jota-ei-osteta');
  const email = newAddress('tupla');
  await page.goto(`${address}pledge/`);
  await fillSum(page, fi, '10');
  await fillContact(page, fi, { email, first: 'Tuomas', last: 'Plathan' });
  await fillCard(page, cards.good);
  const made: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/pledges/')) made.push(request.url());
  });
  await page.getByRole('button', { name: fi.pay }).dblclick();
  await seesThanks(page, fi);
  await theMailTo(email);
  expect(made).toHaveLength(1);
  expect(await paymentsTo(id)).toHaveLength(1);
  expect(await chargedTo(id)).toBe(1000);
  const { total } = await ask<{ total: number }>(`/content/campaigns/${id}/backers/`);
  expect(total).toBe(1);
});
