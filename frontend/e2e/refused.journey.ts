import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNothingCut, isAt, disappears, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { newAddress, theMailTo } from './mailbox';
import {
  cards,
  challenge,
  chargedTo,
  expectRefusal,
  fi,
  fillCard,
  fillContact,
  fillSum,
  paymentsTo,
  pressPay,
  seesThanks,
} from './paying';

desktop(
  'a refused card says so and charges nothing; another card pays the same pledge',
  async ({ page, errors }) => {
    const { id, address } = await demoCampaign('suonsilma');
    const email = newAddress('otto');
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '30');
    await fillContact(page, fi, { email, first: 'Otto', last: 'Salmi' });
    await fillCard(page, cards.declined);
    expectRefusal(errors);
    await pressPay(page, fi);
    await sees(page.getByRole('alert').getByText('Kortti ei käynyt. Mitään ei veloitettu.'));
    await sees(page.getByText('Varauksesi on yhä voimassa. Kokeile toista korttia.'));
    await expectAccessible(page);
    expect(await chargedTo(id, 3000)).toBe(0);

    await fillCard(page, cards.withoutFunds);
    await pressPay(page, fi);
    await sees(page.getByRole('alert').getByText('Kortilla ei ole nyt katetta summalle 30,00 €.'));
    expect(await chargedTo(id, 3000)).toBe(0);
    await disappears(page.getByRole('button', { name: fi.pay }));
    await expectNothingCut(page.getByRole('radiogroup', { name: 'Mitä haluat tehdä?' }));
    await expectAccessible(page);

    await page.getByRole('radio', { name: 'Toinen kortti' }).click();
    await page.getByRole('button', { name: 'Jatka' }).click();
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await theMailTo(email);
    expect(await paymentsTo(id, 3000)).toHaveLength(1);
    expect(await chargedTo(id, 3000)).toBe(3000);
  },
);

/** The colour scheme of the open challenge. */
async function schemeOfChallenge(page: Page): Promise<string> {
  const heading = challenge(page).getByRole('heading', { name: 'Vahvista maksu' });
  await sees(heading);
  return heading.evaluate((shown) => getComputedStyle(shown).colorScheme);
}

desktop(
  'a 3-D Secure challenge that is closed, failed or left charges nothing, and can be passed afterwards',
  async ({ page, context }) => {
    const { id, address } = await demoCampaign('ahven-villapaita');
    const email = newAddress('elli');
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '20');
    await fillContact(page, fi, { email, first: 'Elli', last: 'Koski' });
    await fillCard(page, cards.secure);
    const unfinished = page
      .getByRole('alert')
      .getByText('Pankin vahvistus jäi kesken. Mitään ei veloitettu.');

    await pressPay(page, fi);
    expect(await schemeOfChallenge(page)).toBe('light');
    await page.getByRole('dialog').getByRole('button', { name: 'Sulje' }).click();
    await sees(unfinished);
    expect(await chargedTo(id)).toBe(0);

    // The reader's choice of theme holds in the challenge too, whatever their system prefers.
    await page.getByRole('banner').getByRole('button', { name: 'Tumma teema' }).click();
    const openAgain = page.getByRole('button', { name: 'Avaa pankin vahvistus uudelleen' });
    await openAgain.click();
    expect(await schemeOfChallenge(page)).toBe('dark');
    await challenge(page).getByRole('button', { name: 'Hylkää maksu' }).click();
    await disappears(page.locator('iframe[src*="/3ds/"]'));
    await sees(unfinished);
    expect(await chargedTo(id)).toBe(0);

    await openAgain.click();
    await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
    await page.reload();
    await sees(page.getByRole('button', { name: fi.pay }));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    expect(await page.getByRole('textbox', { name: 'Summa' }).inputValue()).toBe('20');
    await fillCard(page, cards.secure);
    await pressPay(page, fi);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await seesThanks(page, fi);
    await isAt(page, `${address}thanks/`);
    await theMailTo(email);
    expect(await chargedTo(id)).toBe(2000);
    expect((await paymentsTo(id)).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(context.pages()).toHaveLength(1);
  },
);

desktop(
  'changing the reward after leaving a 3-D Secure challenge cancels the first payment before the next begins',
  async ({ page }) => {
    const { id, address } = await demoCampaign('hillakeittio-ouluun');
    const email = newAddress('veera');
    // The statuses of the campaign's payments at each set-up.
    const statusesAtSetup: string[][] = [];
    await page.route(/\/api\/pledges\/[^/]+\/setup$/, async (route) => {
      statusesAtSetup.push((await paymentsTo(id)).map(({ status }) => status));
      await route.continue();
    });
    await page.goto(`${address}pledge/`);
    await fillSum(page, fi, '20');
    await fillContact(page, fi, { email, first: 'Veera', last: 'Niemi' });
    await fillCard(page, cards.secure);
    await pressPay(page, fi);
    await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));

    await page.reload();
    await page.getByRole('radio', { name: /^Hillaa ja chiliä/ }).click();
    await sees(page.getByRole('button', { name: 'Maksa 22,00 €' }));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await isAt(page, `${address}thanks/`);
    await theMailTo(email);
    expect(statusesAtSetup).toEqual([[], ['canceled']]);
    expect((await paymentsTo(id)).map(({ status }) => status).sort()).toEqual(['canceled', 'succeeded']);
    expect(await chargedTo(id)).toBe(2200);
  },
);

desktop(
  'after closing the tab at a 3-D Secure challenge, the same backer can pay in a new one',
  async ({ page, context }) => {
    const { id, address } = await demoCampaign('mehilaisia-koulun-katolla');
    const email = newAddress('ilmari');
    const begin = async (tab: typeof page) => {
      await tab.goto(`${address}pledge/`);
      await fillSum(tab, fi, '15');
      await fillContact(tab, fi, { email, first: 'Ilmari', last: 'Laine' });
      await fillCard(tab, cards.secure);
      await pressPay(tab, fi);
      await sees(challenge(tab).getByRole('heading', { name: 'Vahvista maksu' }));
    };
    await begin(page);
    await page.close();
    expect(await chargedTo(id)).toBe(0);

    const later = await context.newPage();
    await begin(later);
    await challenge(later).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await seesThanks(later, fi);
    await theMailTo(email);
    expect(await chargedTo(id)).toBe(1500);
  },
);
