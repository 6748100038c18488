import { expect } from '@playwright/test';
import { expectAccessible, disappears, sees } from './checks';
import { demoCampaign } from './demo';
import { phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import {
  cardFrame,
  chargedTo,
  chooseCard,
  fi,
  fillContact,
  fillSum,
  paymentsTo,
  pressPay,
  seesThanks,
} from './paying';

phone('a wallet that is closed charges nothing, and Pay opens it again', async ({ page }) => {
  await page.addInitScript(() => sessionStorage.setItem('stripe-sandbox-wallet', 'google_pay'));
  const { id, address } = await demoCampaign('pyorahuolto-pihalle');
  const email = newAddress('lompakko');
  await page.goto(`${address}pledge/`);
  await fillSum(page, fi, '14');
  await fillContact(page, fi, { email, first: 'Venla', last: 'Aho' });
  await chooseCard(page);
  await cardFrame(page).getByRole('radio', { name: 'Google Pay' }).check();
  await disappears(cardFrame(page).locator('#number'));
  await expectAccessible(page);

  await pressPay(page, fi);
  const sheet = page.getByRole('dialog', { name: 'Google Pay' });
  await sees(sheet.getByText('14,00'));
  await sheet.getByRole('button', { name: 'Sulje' }).tap();
  await disappears(sheet);
  expect(await paymentsTo(id)).toHaveLength(0);
  expect(await page.getByLabel(fi.email).inputValue()).toBe(email);

  await pressPay(page, fi);
  await sheet.getByRole('button', { name: 'Maksa Google Paylla' }).tap();
  await seesThanks(page, fi);
  await theMailTo(email);
  expect(await chargedTo(id)).toBe(1400);
});
