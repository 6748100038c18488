import { expect } from '@playwright/test';
import { disappears, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { phone } from './journey';
import { linkIn, newAddress, theMailTo } from './mailbox';
import { cards, en, fillCard, fillContact, pressPay } from './paying';

phone(
  'the links of a receipt show it, skip a month and stop, without signing in and each for itself',
  async ({ page }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    await page.goto(`/en${campaign.address}`);
    await page.getByRole('group', { name: 'How much a month?' }).getByRole('button').nth(1).click();
    await page
      .getByRole('link', { name: /^Support with .* a month$/ })
      .first()
      .click();
    const email = newAddress('links');
    await fillContact(page, en, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.good);
    await pressPay(page, en);
    await sees(page.getByRole('heading', { level: 1, name: /gets .* a month from you/ }));

    const mail = await theMailTo(email, 'Receipt TM-');
    expect(mail.text).not.toMatch(/subscriptions\/[0-9A-Za-z]{26}/);

    await page.goto(linkIn(mail, /^See the receipt:$/));
    await sees(page.getByText(/^TM-\d{4}-\d{6}$/));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await disappears(page.getByText(email));

    const skip = linkIn(mail, /^Skip .*:$/);
    await page.goto(skip);
    await sees(page.getByRole('heading', { level: 1, name: /^Skip [A-Z][a-z]+\?$/ }));
    await isAt(page, /\/en\/support-link\/$/); // the token is not in the address any more
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(page);
    await page.reload();
    await page.getByRole('button', { name: /^Skip [A-Z]/ }).click();
    await sees(page.getByRole('heading', { level: 1, name: /is skipped$/ }));
    const other = await page.context().newPage();
    await other.goto(skip);
    await sees(other.getByText(/It had been done already/));

    await page.goto(linkIn(mail, /^Stop my support/));
    await page.getByRole('button', { name: 'Stop my support' }).click();
    await sees(page.getByRole('heading', { level: 1, name: 'Your support stops' }));
    await expectAccessible(page);
  },
);
