import { expect } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { openOnFirstDay } from './creating';
import { ask } from './demo';
import { phone } from './journey';
import { linkIn, newAddress, theMailTo } from './mailbox';
import { cards, fi, fillCard, fillContact, pressPay, seesThanks } from './paying';
import { platform } from './platform';
import { asStaff } from './session';

interface Found {
  previews: { campaign_id: number; slug: string; title: string }[];
}

/** The demo's campaign that no other journey opens, ended at the end of this one. */
async function thePress() {
  const { previews } = await ask<Found>('/content/campaigns/preview/fi/?limit=300&stages=1');
  const found = previews.find(({ slug }) => slug === 'yhteinen-omenamehustamo');
  if (!found) throw new Error('The demo has no apple press that prepares.');
  return { id: found.campaign_id, title: found.title, address: `/${found.campaign_id}/${found.slug}/` };
}

/** Ends an open campaign with the money for its creator, and waits until the worker has done so. */
async function endOnLastDay(id: number) {
  const { ok } = await fetch(`${platform().control}/campaigns/${id}/last-day`, { method: 'POST' });
  expect(ok).toBe(true);
  await eventually(
    () => ask<{ campaign: { stage: number } }>(`/content/campaigns/${id}/fi/`),
    ({ campaign }) => expect(campaign.stage).toBe(3),
    120_000,
  );
}

phone(
  'after the campaign a guest withdraws from what they bought by the link that they ask for, and everybody is told',
  async ({ page, another }) => {
    const campaign = await thePress();
    await openOnFirstDay(campaign.id);
    const email = newAddress('mehu');
    await page.goto(campaign.address);
    await sees(page.getByText('Peruttavissa vielä 14 päivää siitä, kun olet saanut sen').first());
    const { rewards } = await ask<{ rewards: { reward_id: number; title: string }[] }>(
      `/content/campaigns/${campaign.id}/rewards/fi/`,
    );
    const bottle = rewards.find(({ title }) => title === 'Pullo sekamehua');
    await page.goto(`${campaign.address}pledge/${bottle?.reward_id}/`);
    await fillContact(page, fi, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    const receipt = await theMailTo(email, 'Kuitti TK-');
    expect(receipt.text).toContain('voit perua vielä 14 päivän ajan siitä, kun olet saanut vastikkeen');
    await endOnLastDay(campaign.id);

    const staff = await another();
    await asStaff(staff);
    await staff.goto(`${campaign.address}overview/`);
    await staff.getByRole('button', { name: 'Merkitse lähetetyksi: Pullo sekamehua' }).tap();
    const form = staff.getByRole('dialog', { name: 'Milloin lähetit sen?' });
    await form.getByLabel('Päivä').fill(new Date().toLocaleDateString('sv', { timeZone: 'Europe/Helsinki' }));
    await expectAccessible(staff);
    await form.getByRole('button', { name: 'Merkitse ja kerro sille, joka odottaa' }).tap();
    await sees(staff.getByText(/yhdelle lähetetty, viimeksi/));
    const told = await theMailTo(email, 'Vastikkeesi on lähetetty');
    expect(told.text).toMatch(/Voit perua tuen ilman perusteluja \d+\.\d+\.\d{4} klo 23\.59 saakka/);

    const guest = await another();
    await guest.goto('/');
    await guest.getByRole('link', { name: 'Peruuta sopimus tässä' }).tap();
    await sees(guest.getByRole('heading', { name: 'Peruuta sopimus tässä' }));
    await expectAccessible(guest);
    await guest.getByLabel('Sähköposti').fill(email);
    await guest.getByRole('button', { name: 'Lähetä linkit' }).tap();
    await sees(guest.getByText('Jos osoitteella on tukia, linkit ovat jo matkalla.'));
    const links = await theMailTo(email, 'Linkit');
    await guest.goto(linkIn(links, new RegExp(campaign.title)));
    await isAt(guest, /\/pledge-link\/$/);
    const pledge = guest.getByRole('region', { name: campaign.title });
    await sees(pledge.getByText(/Vastike lähetettiin .* Rahat takaisin ilman perusteluja/));
    await pledge.getByRole('button', { name: 'Peruuta sopimus' }).tap();
    await sees(pledge.getByRole('heading', { name: /Peruutetaanko sopimus, 12,00/ }));
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);
    await pledge.getByRole('button', { name: 'Vahvista peruutus' }).tap();
    await eventually(
      () => pledge.getByRole('heading', { level: 3 }).first().textContent(),
      (said) => expect(said).toMatch(/Tuki on peruttu|Palautettu sinulle/),
    );
    const confirmed = await theMailTo(email, 'Tuki peruttu');
    expect(confirmed.text).toMatch(
      /Perit tukesi \d+\.\d+\.\d{4} klo \d\d\.\d\d\. Tämä viesti vahvistaa sen\./,
    );
    expect(confirmed.text).toContain('palauta se myyjälle 14 päivän kuluessa');
    await theMailTo(email, 'Rahaa palautui');
  },
);
