import type { BrowserContextOptions } from 'playwright-core';
import { eventually, expectAccessible, isAt, sees } from './checks';
import {
  addCover,
  addReward,
  bringFirstDay,
  fillFirstReward,
  fillIdea,
  fillMoney,
  fillWho,
  goOn,
  openDraft,
  openForm,
  tellStory,
  writeIn,
  written,
} from './creating';
import { ask } from './demo';
import { desktop, journey, phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, fi, fillCard, fillContact, seesThanks } from './paying';
import { approve, askForChanges, askForReview, markMended, openReview } from './reviewing';

interface Stage {
  campaign: { stage: number };
}

const funding = 2;
const note = 'Kerro, mihin soittorasia tulee.';

describe.each<[string, BrowserContextOptions]>([
  ['a desktop', desktop],
  ['a phone', phone],
])('on %s', (device, options) => {
  journey(
    `on ${device} a campaign goes from its first word to a backer’s letter`,
    options,
    async ({ page, another }) => {
      const creator = newAccount('marjatta');
      const title = `Soittorasia kirjastoon ${device === 'a phone' ? 'ja koululle' : 'ja kioskille'}`;

      await openForm(page, 'Ohjatusti');
      await expectAccessible(page);
      await fillIdea(page, title);
      await goOn(page);
      await fillMoney(page, '500');
      await expectAccessible(page);
      await goOn(page);
      await fillFirstReward(page, 'Kiitoskortti', '20');
      await goOn(page);
      await fillWho(page);
      await expectAccessible(page);
      const id = await openDraft(page, creator, title);
      const edit = new URL(page.url()).pathname;
      const address = edit.replace('edit/', '');

      await tellStory(page, written.story);
      await addCover(page);
      await writeIn(page, 'English');
      await page.getByRole('textbox', { name: 'Otsikko' }).fill(written.englishTitle);
      await page.getByRole('textbox', { name: 'Iskulause' }).fill(written.englishTagline);
      await tellStory(page, written.englishStory);
      await writeIn(page, 'Suomi');
      await addReward(page, 'Soittoilta', '40');
      await expectAccessible(page);
      await askForReview(page);

      const editor = await another();
      await openReview(editor, title);
      await askForChanges(editor, note);
      await theMailTo(creator.email, 'Muutoksia pyydetty');

      await page.goto('/my-campaigns/');
      await expectAccessible(page);
      await page.getByRole('link', { name: `Korjaa huomautus kampanjasta ${title}` }).click();
      await isAt(page, edit);
      await markMended(page, note);
      await tellStory(page, ' Rasia tulee lehtilukusaliin.');
      await askForReview(page);
      await approve(editor);
      await theMailTo(creator.email, 'Hyväksytty');

      await bringFirstDay(id);
      await eventually(
        () => ask<Stage>(`/content/campaigns/${id}/fi/`).catch(() => undefined),
        (found) => expect(found?.campaign.stage).toBe(funding),
      );
      await theMailTo(creator.email, 'Nyt auki');

      const stranger = await another();
      const backer = newAddress('tuire');
      await stranger.goto(`/en${address}`);
      await sees(stranger.getByRole('heading', { level: 1, name: written.englishTitle }));
      await sees(stranger.getByText(written.englishStory));
      await stranger.goto(address);
      await sees(stranger.getByRole('heading', { level: 1, name: title }));
      await sees(stranger.getByText('Rasia tulee lehtilukusaliin.'));
      await expectAccessible(stranger);
      const reward = stranger.getByRole('article', { name: 'Soittoilta' });
      await reward.getByRole('link', { name: 'Valitse' }).click();
      await reward.getByRole('link', { name: 'Valittu, jatka' }).click();
      await stranger.getByRole('radio', { name: /^Postitus Suomeen/ }).check();
      await stranger.getByLabel('Mikä soitin?').fill('Huuliharppu');
      await fillContact(stranger, fi, { email: backer, first: 'Tuire', last: 'Koski' });
      await fillCard(stranger, cards.good);
      await expectAccessible(stranger);
      await stranger.getByRole('button', { name: 'Maksa 44,50 €' }).click();
      await seesThanks(stranger, fi);
      await theMailTo(backer, 'Kuitti');
      expect(await chargedTo(id)).toBe(4450);

      await page.goto(`${address}overview/`);
      await sees(page.getByText('1 tukija').or(page.getByText('tukija', { exact: true })));
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Kirjoita päivitys' }).click();
      await isAt(page, /\/posts\/\d+\/edit\/$/);
      await page.getByRole('textbox', { name: 'Otsikko' }).fill('Rasia on tilattu');
      await page.getByRole('textbox', { name: 'Päivityksen teksti' }).click();
      await page.keyboard.insertText('Kiitos! Tilasimme soittorasian eilen.');
      await page.getByRole('radio', { name: /^Tukijat 1$/ }).check();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Julkaise ja lähetä' }).click();
      const dialog = page.getByRole('dialog', { name: 'Julkaistaanko päivitys?' });
      await sees(dialog.getByText('Yksi kirje lähtee heti.'));
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Julkaise ja lähetä' }).click();
      const letter = await theMailTo(backer, 'Rasia on tilattu');
      expect(letter.text).toContain('Tilasimme soittorasian eilen.');

      // Published once more, it mails nobody: when a later letter has come, there is still one of this.
      await page.getByRole('button', { name: 'Peru julkaisu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Peru julkaisu' }).click();
      await page.getByRole('button', { name: 'Julkaise', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Julkaise', exact: true }).click();
      await sees(page.getByRole('button', { name: 'Peru julkaisu' }));
      await page.getByRole('button', { name: 'Lähetä koe minulle' }).click();
      await theMailTo(creator.email, 'Rasia on tilattu');
      await theMailTo(backer, 'Rasia on tilattu');
    },
  );
});

journey('a campaign begins with its name alone', desktop, async ({ page }) => {
  await openForm(page, 'Suoraan sivulle');
  await expectAccessible(page);
  await page.getByLabel('Kampanjan nimi').fill('Kirjasto raiteille');
  await openDraft(page, newAccount('raimo'), 'Kirjasto raiteille');
  await sees(page.getByText('Luonnos, vain sinä ja tiimi näette tämän'));
});

journey('a monthly campaign begins with its goals', phone, async ({ page }) => {
  await openForm(page, 'Kuukausitalkoot');
  await fillIdea(page, 'Kuoro joka kylään');
  await goOn(page);
  await page.getByLabel('1. tavoite: tukijoita').fill('25');
  await page.getByLabel('1. tavoite: mitä silloin tapahtuu').fill('Harjoitukset alkavat');
  await expectAccessible(page);
  await goOn(page);
  await fillFirstReward(page, 'Kuoron ystävä', '5');
  await goOn(page);
  await fillWho(page);
  await openDraft(page, newAccount('kaisu'), 'Kuoro joka kylään');
  expect(await page.getByLabel('Porras 1: tukijoita').inputValue()).toBe('25');
});

function newAccount(name: string) {
  const first = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
  return { email: newAddress(name), password: 'pitkä ja hyvä sana', first, last: 'Hietala' };
}
