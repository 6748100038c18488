import type { Page } from 'playwright-core';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees } from './checks';
import { ask, demoCampaign, editor } from './demo';
import { desktop, journey, phone } from './journey';
import { newAddress } from './mailbox';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { signIn } from './signing';

const creator = { email: 'creator@talkoot.example', password: 'talkoot-demo' };
const stages = ['Suunnitteilla', 'Käynnissä', 'Arvioitu', 'Käytössä', 'Päättynyt', 'Arkistoitu'] as const;

/** Waits until what was typed has reached the server. */
const isSaved = (page: Page) => sees(page.getByText(/^Tallennettu/));

/** Begins an experiment, from its form to its page in edit mode. */
async function begin(page: Page, name: string) {
  await page.goto('/create-experiment/');
  await page.getByLabel('Kokeilun nimi').fill(name);
  await page.getByRole('button', { name: 'Aloita kokeilu' }).click();
  await sees(page.getByRole('heading', { name: 'Vaihe', exact: true }));
}

/** Moves to the next stage with the keyboard alone. */
async function move(page: Page, stage: string) {
  await page.getByRole('button', { name: `Siirrä vaiheeseen ${stage}` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Siirretäänkö vaiheeseen ${stage}?` });
  await dialog.getByRole('button', { name: `Siirrä vaiheeseen ${stage}` }).press('Enter');
  await disappears(dialog);
}

async function write(page: Page, part: string, text: string) {
  await page.getByRole('textbox', { name: part, exact: true }).fill(text);
  await page.keyboard.press('Tab');
  await isSaved(page);
}

journey(
  'an experiment goes through all stages, and a linked campaign’s money rises on it',
  desktop,
  async ({ page }) => {
    const campaign = await demoCampaign('turn-it-over-the-puhos-tape');
    await page.goto('/');
    await signIn(page, creator);
    await begin(page, 'Kirjasto lainaa kiikareita');
    await expectAccessible(page);

    await write(page, 'Lyhyt kuvaus', 'Kolme kiikaria, yksi kesä.');
    await page.getByRole('textbox', { name: 'Tarina' }).click();
    await page.keyboard.type('Lintuja näkee paremmin kiikarilla.');
    await page.keyboard.press('Tab');
    await isSaved(page);
    await move(page, stages[0]);

    await page.getByRole('combobox', { name: 'Paikka' }).fill('Inari');
    await page.getByRole('button', { name: 'Kokeilun paikka kartalla' }).press('ArrowDown');
    await page.getByLabel('Lisää tunniste').fill('kirjasto');
    await page.getByLabel('Lisää tunniste').press('Enter');
    await isSaved(page);
    await move(page, stages[1]);

    await page.getByLabel('Kampanjan numero tai osoite').fill(campaign.address);
    await page.getByRole('button', { name: 'Liitä kampanja' }).click();
    await sees(page.getByRole('button', { name: 'Irrota' }));
    await page.getByLabel('Tavoite', { exact: true }).fill('50000');
    await page.keyboard.press('Tab');
    await isSaved(page);
    await page.getByRole('switch', { name: 'Luettelo' }).press('Space');
    await isSaved(page);

    // What visitors see: the campaign's sum, which follows it when money comes in.
    await page.getByRole('link', { name: 'Katselu' }).click();
    await sees(page.getByRole('link', { name: 'Tue kampanjaa' }));
    const address = new URL(page.url()).pathname;
    const id = /experiments\/(\d+)/.exec(address)?.[1] ?? '';
    const raised = async () => {
      const { experiment } = await ask<{ experiment: { funding: { raised: number } } }>(
        `/content/experiments/${id}/fi/`,
      );
      return experiment.funding.raised;
    };
    const before = await raised();
    await page.goto(`${campaign.address}pledge/`);
    await fillSum(page, fi, '25');
    await fillContact(page, fi, { email: newAddress('iida'), first: 'Iida', last: 'Salo' });
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await seesThanks(page, fi);
    await eventually(raised, (now) => expect(now).toBe(before + 25));
    await page.goto(address);
    await sees(page.getByRole('link', { name: 'Tue kampanjaa' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('link', { name: 'Muokkaus' }).click();
    await sees(page.getByText('mitä opimme'));
    await write(page, 'Mitä opimme', 'Yli sata lainaa, yksi kiikari kastui.');
    await move(page, stages[2]);
    await write(page, 'Mitä seuraavaksi', 'Kirjasto ostaa lisää.');
    for (const stage of stages.slice(3)) await move(page, stage);
    await sees(page.getByText('Tämä on viimeinen vaihe.'));

    await page.goto(`/en${address}`);
    await sees(page.getByRole('heading', { level: 1, name: 'Kirjasto lainaa kiikareita' }));
    await sees(page.getByRole('heading', { name: 'What we learned' }));
    await sees(page.getByText('Since'));
    await expectAccessible(page);
  },
);

journey('on a phone an experiment is found, liked and taken off the site', phone, async ({ page }) => {
  await page.goto('/');
  await signIn(page, creator);
  await begin(page, 'Puhelimella aloitettu kokeilu');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Luettelo' }).click();
  await isSaved(page);

  await page.goto('/experiments/');
  await page.getByRole('searchbox', { name: 'Hae kokeiluista' }).fill('puhelimella');
  await page.keyboard.press('Enter');
  await sees(page.getByText('Yksi kokeilu'));
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Puhelimella aloitettu kokeilu' }).click();
  await page.getByRole('button', { name: 'Tykkää · 0' }).click();
  await sees(page.getByRole('button', { name: 'Tykkää · 1' }));

  await page.getByRole('link', { name: 'Muokkaus' }).click();
  await page.getByLabel('Ymmärrän, ettei kävijä enää löydä tätä').check();
  await page.getByRole('button', { name: 'Poista kokeilu käytöstä' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Poista käytöstä' }).click();
  await sees(page.getByText('Kokeilu on poissa sivustolta.'));
});

journey('staff find an experiment in the table with the keyboard', desktop, async ({ page }) => {
  await page.goto('/');
  await signIn(page, editor);
  await page.goto('/admin/experiments/');
  await sees(page.getByRole('table'));
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Nimi', exact: true }).press('Enter');
  await sees(page.getByRole('columnheader', { name: 'Nimi' }).and(page.locator('[aria-sort="ascending"]')));
  await page.getByRole('searchbox', { name: 'Nimi, kuvaus tai omistaja' }).fill('työkaluja');
  await page.keyboard.press('Enter');
  await sees(page.getByText('1–1 / 1'));
  await page.getByRole('link', { name: /^Avaa:/ }).press('Enter');
  await isAt(page, /\/experiments\/\d+\//);
  await page.goto('/en/admin/experiments/?rows=all');
  await sees(page.getByText(/^1–\d+ of \d+$/));
  await expectAccessible(page);
});
