import { expect } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { linkIn, newAddress, theMailTo } from './mailbox';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { asNew } from './session';
import { newAccount, ownName } from './signing';

phone(
  'a guest takes a pledge back from the link of the receipt, is told by mail, and closes the link',
  async ({ page, another }) => {
    const campaign = await demoCampaign('kurkipelto-takaisin');
    const email = newAddress('katuja');
    const last = ownName('Virta');
    await page.goto(`${campaign.address}pledge/`);
    await fillSum(page, fi, '15');
    await fillContact(page, fi, { email, first: 'Aino', last });
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);

    const receipt = await theMailTo(email, 'Kuitti TK-');
    expect(receipt.text).toMatch(/Voit perua tuen ilman perusteluja ja ilman tiliä .* saakka\./);
    const guest = await another();
    await guest.goto(linkIn(receipt, /^Avaa tukesi:$/));
    await isAt(guest, /\/pledge-link\/$/); // the token is not in the address any more
    const pledge = guest.getByRole('region', { name: campaign.title });
    await sees(pledge.getByRole('heading', { name: 'Rahasi on tallessa' }));
    await sees(pledge.getByText(/Rahat takaisin ilman perusteluja/));
    await disappears(guest.getByText(email)); // told in part
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);

    await pledge.getByRole('button', { name: 'Peru tuki' }).tap();
    await sees(pledge.getByRole('heading', { name: /Perutaanko tukesi, 15,00/ }));
    await expectAccessible(guest);
    await guest.setViewportSize({ width: 320, height: 700 });
    await expectNoSidewaysScroll(guest);
    await pledge.getByRole('button', { name: /Peru ja palauta 15,00/ }).tap();
    await eventually(
      () => pledge.getByRole('heading', { level: 3 }).first().textContent(),
      (said) => expect(said).toMatch(/Tuki on peruttu|Palautettu sinulle/),
    );
    await expectAccessible(guest);
    await eventually(
      async () => JSON.stringify(await ask<object>(`/content/campaigns/${campaign.id}/backers/`)),
      (shown) => expect(shown).not.toContain(last),
    );
    const told = await theMailTo(email, 'Tuki peruttu');
    expect(told.text).toMatch(/Perit tukesi \d+\.\d+\.\d{4} klo \d\d\.\d\d\. Tämä viesti vahvistaa sen\./);
    await theMailTo(email, 'Rahaa palautui');

    await guest.getByRole('button', { name: 'Sulje tämä linkki' }).tap();
    await guest.getByRole('button', { name: 'Sulje linkki' }).tap();
    await sees(guest.getByRole('heading', { name: 'Tämä linkki ei enää avaa tukea' }));
    await disappears(guest.getByText(campaign.title));
    await expectAccessible(guest);
    await guest.getByRole('button', { name: 'Lähetä uusi linkki' }).tap();
    const renewed = await theMailTo(email, 'Linkki tukeesi');
    await guest.goto(linkIn(renewed, /^Avaa tukesi:$/));
    await sees(guest.getByRole('heading', { name: /Tuki on peruttu|Palautettu sinulle/ }));
  },
);

desktop('a signed-in backer takes a pledge back on their own page', async ({ page }) => {
  const campaign = await demoCampaign('kurkipelto-takaisin');
  await asNew(page, newAccount('perttu'));
  await page.goto(`${campaign.address}pledge/`);
  await fillSum(page, fi, '15');
  await fillCard(page, cards.good);
  await pressPay(page, fi);
  await seesThanks(page, fi);
  await page.goto('/profile/me/pledges/');
  const pledge = page.getByRole('region', { name: campaign.title });
  await pledge.getByRole('button', { name: 'Peru tuki' }).press('Enter');
  await expectAccessible(page);
  await pledge.getByRole('button', { name: /Peru ja palauta 15,00/ }).press('Enter');
  await sees(pledge.getByRole('heading', { name: /Tuki on peruttu|Palautettu sinulle/ }));
  await eventually(
    async () => {
      await page.reload();
      return pledge.getByRole('list', { name: 'Missä raha on' }).innerText();
    },
    (stops) => expect(stops).toMatch(/Peruttu[\s\S]*Palautettu/),
  );
  await page.goto('/en/profile/me/pledges/');
  await sees(page.getByText('Taken back'));
  await expectAccessible(page);
});
