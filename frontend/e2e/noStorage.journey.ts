import type { Page } from '@playwright/test';
import { isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { cards, en, fi, fillCard, fillContact, fillSum, pressPay, seesThanks, type Words } from './paying';

/** A campaign is opened, supported and paid for, in a browser that does not store. */
async function pledge(page: Page, words: Words, prefix: string, join: string) {
  const { address } = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
  await page.goto(prefix + address);
  await page.getByRole('main').getByRole('link', { name: join }).first().click();
  await isAt(page, `${prefix}${address}pledge/`);
  const email = newAddress('muistiton');
  await fillSum(page, words, '7');
  await fillContact(page, words, { email, first: 'Muisto', last: 'Muistiton' });
  await fillCard(page, cards.good);
  await pressPay(page, words);
  await seesThanks(page, words);
  await sees(page.getByText(email));
  await theMailTo(email);
}

desktop('where site data is blocked, a campaign is found, supported and paid for', async ({ page }) => {
  await page.addInitScript(() => {
    // The provider's frames are on another site.
    if (window !== window.top) return;
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse, configurable: true });
  });
  await pledge(page, fi, '', 'Lähde mukaan');
});

phone('where the storage is full, a campaign is found, supported and paid for', async ({ page }) => {
  await page.addInitScript(() => {
    if (window !== window.top) return;
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await pledge(page, en, '/en', 'Join in');
});
