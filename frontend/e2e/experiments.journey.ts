import { expect, type Page } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees } from './checks';
import { paintPicture } from './creating';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { newAddress } from './mailbox';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { as, asStaff } from './session';

const creator = { email: 'creator@talkoot.example', password: 'talkoot-demo' };
const amira = { email: 'amira.haddad@example.fi', password: 'talkoot-demo' };
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

/** A sum as pages write it, without cents. */
const euros = (sum: number) => `${new Intl.NumberFormat('fi').format(sum)} €`.replaceAll(' ', '\u00a0');

/** The title in English, which readers of English get. */
async function writeInEnglish(page: Page) {
  await page.getByRole('radio', { name: /English/ }).press('Space');
  await write(page, 'Nimi', 'The library lends binoculars');
  await page.getByRole('radio', { name: /Suomi/ }).press('Space');
}

async function addPicture(page: Page) {
  await page.getByLabel('Vaihda kuva').setInputFiles(await paintPicture(page, 1600));
  await page.getByRole('dialog', { name: 'Rajaa kuva' }).getByRole('button', { name: 'Käytä tätä' }).click();
  await sees(page.getByRole('button', { name: 'Poista kuva' }));
  await write(page, 'Mitä kuvassa on', 'Kiikari ikkunalaudalla');
  await sees(page.getByRole('img', { name: 'Kiikari ikkunalaudalla' }));
}

/** Finds a person by name and invites them, with the keyboard alone. */
async function inviteToTeam(page: Page, typed: string, name: string) {
  const field = page.getByRole('combobox', { name: 'Kutsu henkilö nimellä' });
  await field.focus();
  await page.keyboard.type(typed);
  await sees(page.getByRole('option', { name: new RegExp(name) }));
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await sees(page.getByRole('button', { name: `Peru kutsu: ${name}` }));
}

/** Answers the invitation on one's own page: nobody is shown in a team without consent. */
async function acceptsInvitation(page: Page) {
  await page.goto('/profile/me/');
  const invitations = page.getByRole('region', { name: 'Sinut on kutsuttu' });
  await sees(invitations.getByText('Reijo Kukkonen kutsuu sinut'));
  await expectAccessible(page);
  await invitations.getByRole('button', { name: 'Liity tiimiin' }).press('Enter');
  await isAt(page, /\/experiments\/\d+\/.*edit\/$/);
}

/** Takes the last choice back and brings it again from the history. */
async function undoesAndPutsBack(page: Page) {
  const index = page.getByRole('switch', { name: 'Luettelo' });
  await page.getByRole('button', { name: 'Kumoa viimeinen muutos' }).press('Enter');
  await eventually(
    () => index.isChecked(),
    (isOn) => expect(isOn).toBe(false),
  );
  await isSaved(page);
  await index.press('Space');
  await isSaved(page);
  await page.getByRole('button', { name: 'Muutoshistoria' }).press('Enter');
  const history = page.getByRole('dialog', { name: 'Muutoshistoria' });
  await sees(history.getByText('Reijo Kukkonen').first());
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await disappears(history);
}

desktop(
  'an experiment goes through all stages, and a linked campaign’s money rises on it',
  async ({ page, another, errors }) => {
    const campaign = await demoCampaign('hoyry-kylan-yhteinen-saunalautta');
    await as(page, creator);
    await begin(page, 'Kirjasto lainaa kiikareita');
    const { pathname: editing } = new URL(page.url());
    const address = editing.replace('edit/', '');
    await expectAccessible(page);

    // A stage says what is missing before it.
    const stage = page.getByRole('region', { name: 'Vaihe', exact: true });
    await sees(stage.getByText('Ennen vaihetta Suunnitteilla tarvitaan vielä:'));
    await sees(stage.getByText('lyhyt kuvaus'));
    await write(page, 'Lyhyt kuvaus', 'Kolme kiikaria, yksi kesä.');
    const story = page.getByRole('textbox', { name: 'Tarina' });
    await story.click();
    await page.keyboard.type(
      'Lintuja näkee paremmin kiikarilla: www.linnut.example, https://kiikari.example',
    );
    await page.keyboard.press('Enter');
    await page.keyboard.type('Tule.');
    for (const typed of ['www.linnut.example', 'https://kiikari.example'])
      await sees(story.getByRole('link', { name: typed, exact: true }));
    await page.keyboard.press('Tab');
    await isSaved(page);
    await move(page, stages[0]);

    await writeInEnglish(page);
    await addPicture(page);
    await inviteToTeam(page, 'amira', 'Amira Haddad');
    await page.getByRole('button', { name: 'Lisää linkki' }).press('Enter');
    await page.getByLabel('Osoite, linkki 1').fill('instagram.com/kiikarit');
    await page.keyboard.press('Tab');
    await sees(page.getByRole('img', { name: 'Instagram' }));
    await isSaved(page);

    await sees(stage.getByText('vähintään yksi avainsana'));
    await page.getByRole('combobox', { name: 'Paikka' }).fill('Inari');
    await page.getByRole('button', { name: 'Kokeilun paikka kartalla' }).press('ArrowDown');
    await page.getByLabel('Lisää avainsana').fill('kirjasto');
    await page.getByLabel('Lisää avainsana').press('Enter');
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
    await undoesAndPutsBack(page);
    await expectAccessible(page);

    // A stranger finds it, backs the linked campaign, and the sum on the experiment's page rises by what was paid.
    const stranger = await another();
    await stranger.goto(address);
    await sees(stranger.getByRole('link', { name: 'Tue kampanjaa' }));
    const id = /experiments\/(\d+)/.exec(address)?.[1] ?? '';
    const raised = async () => {
      const { experiment } = await ask<{ experiment: { funding: { raised: number } } }>(
        `/content/experiments/${id}/fi/`,
      );
      return experiment.funding.raised;
    };
    const before = await raised();
    await sees(stranger.getByRole('main').getByText(euros(before), { exact: true }));
    await stranger.getByRole('link', { name: 'Tue kampanjaa' }).click();
    await stranger.goto(`${campaign.address}pledge/`);
    await fillSum(stranger, fi, '25');
    await fillContact(stranger, fi, { email: newAddress('iida'), first: 'Iida', last: 'Salo' });
    await fillCard(stranger, cards.good);
    await pressPay(stranger, fi);
    await seesThanks(stranger, fi);
    await eventually(raised, (now) => expect(now).toBe(before + 25));
    await stranger.goto(address);
    await sees(stranger.getByRole('main').getByText(euros(before + 25), { exact: true }));
    await disappears(stranger.getByRole('main').getByText('Amira Haddad'));
    await expectAccessible(stranger);
    await expectNoSidewaysScroll(stranger);
    // Who edits meanwhile is told by the server that the team has grown, reads it and saves again.
    errors.expect(/\/experiments\/\d+\/custom_language\/fi\/$/, 412);
    const invited = await another();
    await as(invited, amira);
    await acceptsInvitation(invited);
    await stranger.goto(address);
    await sees(stranger.getByRole('main').getByText('Amira Haddad'));

    await sees(stage.getByText('mitä opimme'));
    await write(page, 'Mitä opimme', 'Yli sata lainaa, yksi kiikari kastui.');
    await move(page, stages[2]);
    await write(page, 'Mitä seuraavaksi', 'Kirjasto ostaa lisää.');
    for (const next of stages.slice(3)) await move(page, next);
    await sees(page.getByText('Tämä on viimeinen vaihe.'));

    await stranger.goto(`/en${address}`);
    await sees(stranger.getByRole('heading', { level: 1, name: 'The library lends binoculars' }));
    await sees(stranger.getByRole('heading', { name: 'What we learned' }));
    await sees(stranger.getByText('Since'));
    await expectAccessible(stranger);

    // It is taken off the site by its team, after a tick and a question; nobody else finds it then.
    await page.getByLabel('Ymmärrän, ettei kävijä enää löydä tätä').press('Space');
    await page.getByRole('button', { name: 'Poista kokeilu käytöstä' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Poista käytöstä' }).press('Enter');
    await sees(page.getByText('Kokeilu on poissa sivustolta.'));
    errors.expect(/\/experiments\/\d+\//, 404);
    await stranger.goto(address);
    await sees(stranger.getByText('Tätä kokeilua ei ole'));
  },
);

phone('on a phone an experiment is found, liked and taken off the site', async ({ page }) => {
  await as(page, creator);
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

desktop('staff find an experiment in the table with the keyboard', async ({ page }) => {
  await asStaff(page);
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
