import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { ask, demoCampaign, type DemoCampaign } from './demo';
import { desktop, phone } from './journey';
import { cards, fi, fillCard, fillSum, pressPay, seesThanks } from './paying';
import { asNew } from './session';
import { newAccount, ownName, signUp } from './signing';

/** The reward of a campaign with this title. */
async function rewardOf({ id }: DemoCampaign, title: string): Promise<number> {
  const { rewards } = await ask<{ rewards: { reward_id: number; title: string }[] }>(
    `/content/campaigns/${id}/rewards/fi/`,
  );
  const found = rewards.find((reward) => reward.title === title);
  if (!found) throw new Error(`There is no reward ${title}.`);
  return found.reward_id;
}

/** How the latest backers of a campaign are shown. */
const backers = async ({ id }: DemoCampaign) =>
  JSON.stringify(await ask<object>(`/content/campaigns/${id}/backers/`));

/** Counts what is printed, because a browser without a window shows no dialog. */
const countPrints = (page: Page) =>
  page.addInitScript(() => {
    const counter = window as typeof window & { prints?: number };
    window.print = () => {
      counter.prints = (counter.prints ?? 0) + 1;
    };
  });
const prints = (page: Page) =>
  page.evaluate(() => (window as typeof window & { prints?: number }).prints ?? 0);

desktop(
  'a backer sees where the money is, changes name and address afterwards, and prints receipts',
  async ({ page, another }) => {
    const campaign = await demoCampaign('suonsilma');
    const account = { ...newAccount('ilona'), last: ownName('Kivelä') };
    const name = `${account.first} ${account.last}`;
    await countPrints(page);
    await page.goto('/profile/me/pledges/');
    await page.getByRole('main').getByRole('button', { name: 'Kirjaudu' }).click();
    await signUp(page, account);
    await sees(page.getByText('Et ole vielä tukenut kampanjoita'));

    await page.goto(`${campaign.address}pledge/${await rewardOf(campaign, 'Suonsilmä')}`);
    await page.getByRole('radio', { name: /Paketti Suomeen/ }).check();
    await page.getByLabel('Katuosoite').fill('Puhoksentie 3');
    await page.getByLabel('Postinumero').fill('00930');
    await page.getByLabel('Postitoimipaikka').fill('Helsinki');
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await sees(page.getByRole('status').filter({ hasText: 'Maksu onnistui' }));

    await page.goto('/profile/me/pledges/');
    const pledge = page.getByRole('region', { name: campaign.title });
    await sees(pledge.getByRole('heading', { name: 'Rahasi on tallessa' }));
    await sees(pledge.getByRole('list', { name: 'Missä raha on' }).locator('[aria-current=step]'));
    await sees(pledge.getByText('66,00\u00a0€'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // The list of backers follows the name.
    await eventually(
      () => backers(campaign),
      (shown) => expect(shown).toContain(name),
    );
    await pledge.getByRole('radio', { name: 'Nimetön' }).press('Space');
    await sees(pledge.getByText('Nimeäsi ei näytetä'));
    await eventually(
      () => backers(campaign),
      (shown) => expect(shown).not.toContain(account.first),
    );
    await pledge.getByRole('radio', { name: `${account.first} K.` }).press('Space');
    await eventually(
      () => backers(campaign),
      (shown) => expect(shown).toContain(`${account.first} K.`),
    );
    const stranger = await another();
    await stranger.goto(campaign.address);
    const region = stranger.getByRole('region', { name: 'Tukijat' });
    await sees(region.getByText(`${account.first} K.`));
    await disappears(region.getByText(name));

    // The address changes until somebody packs by it, and the page says until when.
    await sees(
      pledge.getByText(/^Voit muuttaa, kunnes tekijä alkaa pakata, viimeistään 31\.8\.2027 klo 23\.59/),
    );
    await pledge.getByRole('button', { name: 'Muuta osoite' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Muuta osoite' });
    await dialog.getByLabel('Katuosoite').fill('Itäkeskus 7');
    await dialog.getByLabel('Postinumero').fill('93');
    await dialog.getByRole('button', { name: 'Tallenna osoite' }).press('Enter');
    await eventually(
      () => dialog.getByLabel('Postinumero').getAttribute('aria-invalid'),
      (invalid) => expect(invalid).toBe('true'),
    );
    await expectAccessible(page);
    await dialog.getByLabel('Postinumero').fill('00940');
    await page.keyboard.press('Enter');
    await disappears(dialog);
    await sees(pledge.getByText('Itäkeskus 7, 00940 Helsinki'));

    // One receipt is printed alone, and all of a year at once.
    await pledge.getByRole('button', { name: 'Näytä kuitti' }).press('Enter');
    const receipt = page.getByRole('region', { name: 'Kuitti' });
    await sees(receipt.getByText(/^TK-\d{4}-\d{6}$/));
    await expectAccessible(page);
    await receipt.getByRole('button', { name: 'Tulosta' }).press('Enter');
    expect(await prints(page)).toBe(1);
    await page.emulateMedia({ media: 'print' });
    await disappears(page.getByRole('heading', { level: 1 }));
    await sees(receipt);
    await page.emulateMedia({ media: null });
    await pledge.getByRole('button', { name: 'Piilota kuitti' }).press('Enter');
    await page.getByRole('button', { name: /^Tulosta kuitit \d{4}$/ }).press('Enter');
    await eventually(
      () => prints(page),
      (count) => expect(count).toBe(2),
    );
    await page.emulateMedia({ media: 'print' });
    await sees(page.getByRole('region', { name: 'Kuitti' }));
    await page.emulateMedia({ media: null });

    await page.goto('/en/profile/me/pledges/');
    await sees(page.getByRole('heading', { name: 'Your money is held safely' }));
    await expectAccessible(page);
  },
);

phone('on a phone, two tabs change one pledge: the last word holds', async ({ page, context }) => {
  const campaign = await demoCampaign('kurkipelto-takaisin');
  const account = { ...newAccount('oiva'), last: ownName('Lampi') };
  await asNew(page, account);
  await page.goto(`${campaign.address}pledge/`);
  await fillSum(page, fi, '15');
  await fillCard(page, cards.good);
  await pressPay(page, fi);
  await seesThanks(page, fi);

  await page.goto('/profile/me/pledges/');
  const choose = (tab: Page, name: string) =>
    tab.getByRole('region', { name: campaign.title }).getByText(name, { exact: true }).tap();
  await sees(page.getByRole('heading', { name: 'Rahasi on tallessa' }));
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const other = await context.newPage();
  await other.goto('/profile/me/pledges/');
  await sees(other.getByRole('heading', { name: 'Rahasi on tallessa' }));
  await choose(page, 'Nimetön');
  await sees(page.getByText('Nimeäsi ei näytetä'));
  await choose(other, `${account.first} L.`);
  await eventually(
    () => backers(campaign),
    (shown) => expect(shown).toContain(`${account.first} L.`),
  );
  await page.reload();
  await sees(page.getByText(`${account.first} L.`).first());
  await page.getByRole('button', { name: 'Kesken 1' }).tap();
  await isAt(page, '/profile/me/pledges/?show=going_on');
});
