import { expect, type Page } from '@playwright/test';
import { expectAccessible, isAt, sees } from './checks';
import {
  addCover,
  addReward,
  fillFirstReward,
  fillIdea,
  fillMoney,
  fillWho,
  goOn,
  openDraft,
  openForm,
  openOnFirstDay,
  typeStory,
  writeIn,
  written,
} from './creating';
import type { Visitor } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, fi, fillCard, fillContact, seesThanks } from './paying';
import { approve, askForChanges, askForReview, markMended, openReview } from './reviewing';
import { confirmAddress } from './session';
import { newAccount, type NewAccount } from './signing';

const note = 'Kerro, mihin soittorasia tulee.';
const mended = 'Rasia tulee lehtilukusaliin.';

/** The campaign under test. */
interface NewCampaign {
  id: number;
  /** The path of its page. */
  address: string;
  title: string;
  creator: NewAccount;
}

/**
 * The whole life of a campaign: a creator writes it, an editor reviews it twice, it opens on its first day, a visitor
 * pays without an account, and an update is mailed to the backer once.
 */
export async function runCreatorFlow(page: Page, another: Visitor['another'], title: string) {
  const campaign = await write(page, title);
  await review(page, await another(), campaign);
  await openOnFirstDay(campaign.id);
  await theMailTo(campaign.creator.email, 'Nyt auki');
  const backer = newAddress('tuire');
  await back(await another(), campaign, backer);
  await sendLetter(page, campaign, backer);
}

async function write(page: Page, title: string): Promise<NewCampaign> {
  const creator = newAccount('marjatta');

  await openForm(page, 'Ohjatusti');
  await fillIdea(page, title);
  await goOn(page);
  await fillMoney(page, '500');
  await expectAccessible(page);
  await goOn(page);
  await fillFirstReward(page, 'Kiitoskortti', '20');
  await goOn(page);
  await fillWho(page);
  const id = await openDraft(page, creator, title);
  await confirmAddress(page, creator); // else nothing can be opened
  const address = new URL(page.url()).pathname.replace('edit/', '');

  await typeStory(page, written.story);
  await addCover(page);
  await writeIn(page, 'English');
  await page.getByRole('textbox', { name: 'Otsikko' }).fill(written.englishTitle);
  await page.getByRole('textbox', { name: 'Iskulause' }).fill(written.englishTagline);
  await typeStory(page, written.englishStory);
  await writeIn(page, 'Suomi');
  await addReward(page, 'Soittoilta', '40');
  await expectAccessible(page);
  return { id, address, title, creator };
}

async function review(page: Page, editor: Page, { address, title, creator }: NewCampaign) {
  await askForReview(page);
  await openReview(editor, title);
  await askForChanges(editor, note);
  await theMailTo(creator.email, 'Muutoksia pyydetty');

  await page.goto('/my-campaigns/');
  await expectAccessible(page);
  await page.getByRole('link', { name: `Korjaa huomautus kampanjasta ${title}` }).click();
  await isAt(page, `${address}edit/`);
  await markMended(page, note);
  await typeStory(page, ` ${mended}`);
  await askForReview(page);
  await approve(editor);
  await theMailTo(creator.email, 'Hyväksytty');
}

async function back(page: Page, { id, address, title }: NewCampaign, backer: string) {
  await page.goto(`/en${address}`);
  await sees(page.getByRole('heading', { level: 1, name: written.englishTitle }));
  await sees(page.getByText(written.englishStory));
  await page.goto(address);
  await sees(page.getByRole('heading', { level: 1, name: title }));
  await sees(page.getByText(mended));
  await expectAccessible(page);
  const reward = page.getByRole('article', { name: 'Soittoilta' });
  await reward.getByRole('link', { name: 'Valitse' }).click();
  await page.getByRole('radio', { name: /^Postitus Suomeen/ }).check();
  await page.getByLabel('Mikä soitin?').fill('Huuliharppu');
  await fillContact(page, fi, { email: backer, first: 'Tuire', last: 'Koski' });
  await fillCard(page, cards.good);
  await page.getByRole('button', { name: 'Maksa 44,50 €' }).click();
  await seesThanks(page, fi);
  await theMailTo(backer, 'Kuitti');
  expect(await chargedTo(id)).toBe(4450);
}

async function sendLetter(page: Page, { address }: NewCampaign, backer: string) {
  await page.goto(`${address}overview/`);
  await sees(page.getByText('tukija', { exact: true }));
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
  await dialog.getByRole('button', { name: 'Julkaise ja lähetä' }).click();
  const letter = await theMailTo(backer, 'Rasia on tilattu');
  expect(letter.text).toContain('Tilasimme soittorasian eilen.');

  // Publishing it again mails nobody.
  await page.getByRole('button', { name: 'Peru julkaisu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Peru julkaisu' }).click();
  await page.getByRole('button', { name: 'Julkaise', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Julkaise', exact: true }).click();
  await sees(page.getByRole('button', { name: 'Peru julkaisu' }));
  await theMailTo(backer, 'Rasia on tilattu');
}
