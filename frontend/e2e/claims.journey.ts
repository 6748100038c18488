import { expect, type Page } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { openOnFirstDay } from './creating';
import { ask } from './demo';
import { desktop } from './journey';
import { linkIn, newAddress, theMailTo } from './mailbox';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { platform } from './platform';
import { asNew, callAs, confirmAddress } from './session';
import { confirmIdentity, newAccount } from './signing';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function control(address: string) {
  const answer = await fetch(`${platform().control}/${address}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${address}: ${await answer.text()}`);
}

/** A campaign of a new creator that takes pledges. */
async function ownCampaign(page: Page, title: string) {
  const creator = newAccount('aava');
  await asNew(page, creator);
  await page.goto('/');
  await confirmAddress(page, creator);
  const { campaign } = await callAs<{ campaign: { campaign_id: number; slug: string } }>(
    page,
    '/content/v3/campaigns/',
    {
      title,
      language: 'fi',
      stage: 2,
      target_goal: 500,
      first_day_of_funding: inDays(1),
      last_day_of_funding: inDays(20),
    },
  );
  await control(`campaigns/${campaign.campaign_id}/approve`);
  await openOnFirstDay(campaign.campaign_id);
  return { creator, id: campaign.campaign_id, address: `/${campaign.campaign_id}/${campaign.slug}/` };
}

desktop(
  'a guest claims, the creator offers a part, the guest takes it and gets it back',
  async ({ page, another, errors }) => {
    errors.expect(/\/content\/claims\//, 403); // who it is has not been shown lately
    const title = `Kantele ${Date.now().toString(36)}`;
    const { creator, id, address } = await ownCampaign(page, title);
    const email = newAddress('leena');
    const guest = await another();
    await guest.goto(`${address}pledge/`);
    await fillSum(guest, fi, '45');
    await fillContact(guest, fi, { email, first: 'Leena', last: 'Hakkarainen' });
    await fillCard(guest, cards.good);
    await pressPay(guest, fi);
    await seesThanks(guest, fi);
    const receipt = await theMailTo(email, 'Kuitti TK-');
    await control(`campaigns/${id}/last-day`);
    await eventually(
      () => ask<{ campaign: { stage: number } }>(`/content/campaigns/${id}/fi/`),
      (found) => expect(found.campaign.stage).toBe(3),
      60_000,
    );

    await guest.goto(linkIn(receipt, /^Avaa tukesi:$/));
    await guest.getByRole('button', { name: 'Pyydä hyvitystä' }).click();
    await guest.getByText('Jotain muuta').click();
    await guest.getByLabel('Kerro, mitä on tapahtunut').fill('Levyn piti tulla lokakuussa.');
    await expectAccessible(guest);
    await guest.getByRole('button', { name: 'Lähetä pyyntö' }).click();
    const card = guest.getByRole('region', { name: 'Muu syy' });
    await sees(card.getByText('Tekijällä', { exact: true }));
    await sees(
      card.getByText(/jäljellä\. Jos vastausta ei tule .* klo 23\.59 mennessä, Talkoot ratkaisee\./),
    );
    await expectAccessible(guest);
    await expectNoSidewaysScroll(guest);
    await theMailTo(email, 'Hyvityspyyntösi on lähetetty');

    const told = await theMailTo(creator.email, `Hyvityspyyntö: ${title}`);
    await page.goto(linkIn(told, /^Avaa pyyntö:$/));
    await isAt(page, /\/profile\/me\/claims\/[0-9a-z]{26}\/$/);
    await sees(page.getByRole('heading', { level: 1, name: 'Leena Hakkarainen pyytää hyvitystä' }));
    await expectAccessible(page);
    await page.getByLabel('Palautan osan').check();
    await page.getByRole('textbox', { name: 'Summa' }).fill('20');
    await page.getByLabel(/Viesti tukijalle/).fill('Vihko tuli, levy ei.');
    await page.getByRole('button', { name: /Tarjoa 20,00/ }).click();
    await confirmIdentity(page, creator);
    await sees(page.getByText('Tukijalla', { exact: true }));
    await page.goto('/profile/me/claims/');
    await sees(page.getByRole('link', { name: 'Leena Hakkarainen pyytää hyvitystä' }));
    await expectAccessible(page);

    const offer = await theMailTo(email, 'Tekijä tarjoaa sinulle');
    await guest.goto(linkIn(offer, /^Avaa tukesi:$/));
    await guest.getByRole('button', { name: /Sopii, otan 20,00/ }).click();
    await sees(
      guest.getByRole('region', { name: /Saat 20,00.€ takaisin/ }).getByText('Sovittu', { exact: true }),
    );
    const back = await theMailTo(email, 'Rahaa palautui');
    expect(back.text).toMatch(/Hyvityspyyntösi on ratkaistu\. Palautimme 20,00/);
    await eventually(
      async () => {
        await guest.reload();
        return guest.getByRole('main').innerText();
      },
      (text) => expect(text).toMatch(/20,00.€/),
    );
  },
);
