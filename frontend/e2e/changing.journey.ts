import { expect, type Page } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { linkIn, newAddress, theMailTo } from './mailbox';
import {
  cards,
  expectRefusal,
  fi,
  fillCard,
  fillContact,
  fillSum,
  paymentsTo,
  pressPay,
  seesThanks,
} from './paying';
import { asNew } from './session';
import { newAccount } from './signing';

/** Pays a pledge without a reward, and opens the form that changes it from the receipt's link in another browser. */
async function changesOwn(page: Page, guest: Page, email: string, sum: string) {
  const campaign = await demoCampaign('kurkipelto-takaisin');
  await page.goto(`${campaign.address}pledge/`);
  await fillSum(page, fi, sum);
  await fillContact(page, fi, { email, first: 'Aino', last: 'Virta' });
  await fillCard(page, cards.good);
  await pressPay(page, fi);
  await seesThanks(page, fi);

  const receipt = await theMailTo(email, 'Kuitti TK-');
  await guest.goto(linkIn(receipt, /^Avaa tukesi:$/));
  const pledge = guest.getByRole('region', { name: campaign.title });
  await pledge.getByRole('button', { name: 'Muuta tukea' }).tap();
  return { campaign, guest, pledge, form: pledge.getByRole('form', { name: 'Muuta tukea' }) };
}

phone(
  'a guest makes a pledge smaller from the link of the receipt, gets the difference back, and then takes the rest back',
  async ({ page, another }) => {
    const email = newAddress('muuttaja');
    const { campaign, guest, pledge, form } = await changesOwn(page, await another(), email, '25.75');
    await form.getByLabel('Summa').fill('30');
    await sees(form.getByText('Erotus veloitetaan seuraavaksi'));
    await sees(form.getByRole('button', { name: /^Maksamaan 4,25/ }));
    await form.getByLabel('Summa').fill('10');
    await sees(form.getByText('Sinulle palautetaan erotus'));
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);
    await guest.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(guest);
    await form.getByRole('button', { name: /Muuta ja palauta 15,75/ }).tap();
    await sees(pledge.getByText(/Maksoit 25,75.€, ja siitä 15,75.€/));
    await expectAccessible(guest);

    const told = await theMailTo(email, 'Tukea muutettu');
    expect(told.text).toMatch(/Palautamme erotuksen 15,75.€ sinne, mistä maksoit/);
    const back = await theMailTo(email, 'Rahaa palautui');
    expect(back.text).toMatch(/Muutit tukeasi\. Palautimme 15,75.€\./);
    await eventually(
      () => paymentsTo(campaign.id, 25_75),
      (paid) => expect(paid).toHaveLength(1), // it is one pledge with one charge
    );

    await guest.reload();
    await guest.goto(linkIn(back, /^Avaa tukesi:$/));
    await sees(pledge.getByText(/Maksoit 25,75.€, ja siitä 15,75.€ on palautettu\./));
    await pledge.getByRole('button', { name: 'Peru tuki' }).tap();
    await pledge.getByRole('button', { name: /Peru ja palauta 10,00/ }).tap();
    await eventually(
      () => pledge.getByRole('heading', { level: 3 }).first().textContent(),
      (said) => expect(said).toMatch(/Tuki on peruttu|Palautettu sinulle/),
    );
  },
);

phone(
  'a guest makes a pledge larger from the link of the receipt: a refused card changes nothing, a good one pays the difference',
  async ({ page, another, errors }) => {
    const email = newAddress('korottaja');
    const { campaign, guest, pledge, form } = await changesOwn(page, await another(), email, '25.85');
    await form.getByLabel('Summa').fill('32.92');
    await expectAccessible(guest);
    await form.getByRole('button', { name: /^Maksamaan 7,07/ }).tap();
    await sees(guest.getByRole('heading', { level: 1, name: 'Maksa tukesi muutos' }));
    await fillCard(guest, cards.declined);
    expectRefusal(errors);
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);
    await guest.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(guest);
    await pressPay(guest, fi);
    await sees(guest.getByRole('alert').getByText('Kortti ei käynyt. Mitään ei veloitettu.'));
    await fillCard(guest, cards.good);
    await pressPay(guest, fi);
    await sees(guest.getByRole('heading', { level: 1, name: 'Tukesi on muutettu' }));
    await expectAccessible(guest);

    const told = await theMailTo(email, 'Tukea muutettu');
    linkIn(told, /^Avaa tukesi:$/);
    expect(told.text).toMatch(/Erotus 7,07.€ on veloitettu/);
    await eventually(
      () => paymentsTo(campaign.id, 7_07),
      (paid) => expect(paid).toHaveLength(1),
    );
    await guest.getByRole('link', { name: 'Tukeesi' }).tap();
    await sees(pledge.getByText(/^25,85.€ veloitettu/));
    await sees(pledge.getByText(/^7,07.€ veloitettu/));
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);
    await pledge.getByRole('button', { name: 'Peru tuki' }).tap();
    await pledge.getByRole('button', { name: /Peru ja palauta 32,92/ }).tap();
    await eventually(
      () => pledge.getByRole('heading', { level: 3 }).first().textContent(),
      (said) => expect(said).toMatch(/Tuki on peruttu|Palautettu sinulle/),
    );
  },
);

desktop('a signed-in backer chooses another reward in place of a sum', async ({ page }) => {
  const campaign = await demoCampaign('kurkipelto-takaisin');
  const { rewards } = await ask<{ rewards: Offered[] }>(`/content/campaigns/${campaign.id}/rewards/fi/`);
  const reward = rewards.find(
    ({ active, amount, asks_for_address, custom_questions, added_costs }) =>
      active && amount < 80 && !asks_for_address && custom_questions.length + added_costs.length === 0,
  );
  if (!reward) throw new Error('no reward that asks for nothing');
  await asNew(page, newAccount('vaihtaja'));
  await page.goto(`${campaign.address}pledge/`);
  await fillSum(page, fi, '80');
  await fillCard(page, cards.good);
  await pressPay(page, fi);
  await seesThanks(page, fi);
  await page.goto('/profile/me/pledges/');
  const pledge = page.getByRole('region', { name: campaign.title });
  await pledge.getByRole('button', { name: 'Muuta tukea' }).press('Enter');
  const form = pledge.getByRole('form', { name: 'Muuta tukea' });
  await form.getByRole('radio', { name: new RegExp(reward.title) }).check();
  await form.getByLabel(/Vapaa lisä/).fill('');
  await expectAccessible(page);
  await form.getByRole('button', { name: /Muuta ja palauta/ }).press('Enter');
  await sees(pledge.getByText(reward.title, { exact: false }).first());
  await sees(pledge.getByText(/Maksoit 80,00.€, ja siitä/));
  await pledge.getByRole('button', { name: 'Näytä kuitti' }).first().press('Enter');
  await sees(pledge.getByText('Muutoksen takia takaisin'));
  await page.goto('/sv/profile/me/pledges/');
  await sees(page.getByText(/Du betalade 80,00.€/));
  await expectAccessible(page);
});

interface Offered {
  title: string;
  amount: number;
  active: boolean;
  asks_for_address: boolean;
  custom_questions: unknown[];
  added_costs: unknown[];
}
