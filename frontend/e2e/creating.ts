import { expect, type Page } from '@playwright/test';
import { eventually, expectAccessible, isAt, sees } from './checks';
import { ask } from './demo';
import { platform } from './platform';
import { signUp, type NewAccount } from './signing';

/** What a journey writes into a new campaign. */
export const written = {
  tagline: 'Kirjastosta puuttuu soitin, jota saa kokeilla.',
  story: 'Kirjastossa on hiljaista, mutta ei enää kauan. '.repeat(8),
  englishTitle: 'A music box for the library',
  englishTagline: 'The library has no instrument that one may try.',
  englishStory: 'It is quiet in the library, but not for long.',
} as const;

/** Opens the form for a new campaign and chooses one of the ways to begin. */
export async function openForm(page: Page, way: 'Ohjatusti' | 'Suoraan sivulle' | 'Kuukausitalkoot') {
  await page.goto('/create-campaign/');
  await sees(page.getByRole('heading', { level: 1, name: 'Mitä haluat saada aikaan?' }));
  await page.getByRole('group', { name: 'Miten aloitat' }).getByText(way, { exact: true }).click();
}

/** Goes to the form's next step. */
export async function goOn(page: Page) {
  await page.getByRole('button', { name: /^Jatka/ }).click();
}

/** Fills in the first step: title, tagline and category. */
export async function fillIdea(page: Page, title: string) {
  await page.getByLabel('Kampanjan nimi').fill(title);
  await page.getByLabel('Mitä puuttuu, yhdellä virkkeellä').fill(written.tagline);
  await page.getByRole('button', { name: 'Musiikki' }).click();
}

/** Fills in a goal in euros, and a funding period from 5 to 30 days from now. */
export async function fillMoney(page: Page, goal: string) {
  await page.getByLabel('Tavoite', { exact: true }).fill(goal);
  await page.getByRole('radio', { name: /^Kaikki tai ei mitään/ }).check();
  await page.getByLabel(/^Ensimmäinen päivä/).fill(dayFromNow(5));
  await page.getByLabel(/^Viimeinen päivä/).fill(dayFromNow(30));
}

/** Fills in the step of the first reward; its price is in euros, as typed. */
export async function fillFirstReward(page: Page, title: string, price: string) {
  await page.getByLabel('Vastikkeen nimi').fill(title);
  await page.getByLabel(/^Hinta/).fill(price);
}

/** Fills in the last step: who is responsible for the campaign. */
export async function fillWho(page: Page) {
  await page.getByRole('radio', { name: 'Yhdistys' }).check();
  await page.getByLabel('Vastaajan nimi').fill('Kauhajoen soittajat ry');
  await page.getByLabel('Sähköposti tukijoille').fill('soittajat@posti.example');
}

/** Submits the form, creates the account that it asks for, and waits for edit mode. Returns the campaign's id. */
export async function openDraft(page: Page, account: NewAccount, title: string): Promise<number> {
  await page.getByRole('button', { name: 'Avaa luonnoksen sivu' }).click();
  await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
  await signUp(page, account);
  await isAt(page, /^\/\d+\/[^/]+\/edit\/$/);
  await sees(page.getByRole('textbox', { name: 'Otsikko' }));
  expect(await page.getByRole('textbox', { name: 'Otsikko' }).inputValue()).toBe(title);
  return Number(new URL(page.url()).pathname.split('/')[1]);
}

/** Chooses the language in which the page is written. */
export async function writeIn(page: Page, language: 'Suomi' | 'English' | 'Svenska') {
  await page
    .getByRole('main')
    .getByRole('group', { name: 'Tekstin kieli' })
    .getByText(language, { exact: true })
    .click();
}

/** Types at the end of the story. */
export async function typeStory(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Tarina' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Tab');
}

/** Uploads a cover, moves the crop and uses it. */
export async function addCover(page: Page) {
  const picture = await paintPicture(page);
  await page.getByRole('region', { name: 'Kansikuva' }).locator('input[type=file]').setInputFiles(picture);
  const dialog = page.getByRole('dialog', { name: 'Rajaa kuva' });
  await sees(dialog);
  await expectAccessible(page);
  await dialog.getByRole('slider', { name: 'Pystysuunta' }).fill('1');
  await dialog.getByRole('button', { name: 'Käytä tätä' }).click();
  const upload = page.getByRole('region', { name: 'Kansikuva' });
  await sees(upload.getByRole('button', { name: 'Poista kuva' }));
  await upload.getByLabel('Mitä kansikuvassa on').fill('Soittorasia lukusalin pöydällä');
}

/** A picture that is taller than a cover, so that there is something to crop. */
export async function paintPicture(page: Page, width = 1200) {
  const sheet = await page.context().newPage();
  await sheet.setViewportSize({ width, height: 900 });
  await sheet.setContent('<body style="background: linear-gradient(#1d4a3c, #f0a044)">');
  const buffer = await sheet.screenshot();
  await sheet.close();
  return { name: 'kansi.png', mimeType: 'image/png', buffer };
}

/** Adds a reward with an added cost and a question, in Finnish and English, and waits until the draft shows it. */
export async function addReward(page: Page, title: string, price: string) {
  await page.getByRole('button', { name: 'Lisää vastike' }).click();
  const dialog = page.getByRole('dialog', { name: 'Vastikkeen muokkaus' });
  await dialog.getByRole('textbox', { name: 'Hinta' }).fill(price);
  await dialog.getByRole('textbox', { name: 'Varasto' }).fill('12');
  await dialog.getByRole('button', { name: 'Lisää kulu' }).click();
  await dialog.getByLabel('Kulun 1 hinta').fill('4,50');
  await dialog.getByRole('button', { name: 'Lisää kysymys' }).click();
  await dialog.getByLabel('Nimi: Suomi').fill(title);
  await dialog.getByLabel('Kulu 1: Suomi').fill('Postitus Suomeen');
  await dialog.getByLabel('Kysymys 1: Suomi').fill('Mikä soitin?');
  // Two languages stand side by side; on a phone there is one at a time.
  const english = dialog.getByLabel('Nimi: English');
  if (!(await english.isVisible())) await dialog.getByText('English', { exact: true }).click();
  await english.fill('Music evening');
  await dialog.getByLabel('Kulu 1: English').fill('Postage in Finland');
  await dialog.getByLabel('Kysymys 1: English').fill('Which instrument?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Tallenna vastike' }).click();
  await sees(dialog.getByRole('status').filter({ hasText: 'Kaikki on tallessa' }));
  await dialog.getByRole('button', { name: 'Sulje' }).click();
  await sees(page.getByRole('heading', { name: title }));
}

interface Stage {
  campaign: { stage: number };
}

const funding = 2;

/** Moves the first day of an approved campaign into the past, and waits until the worker has opened the campaign. */
export async function openOnFirstDay(campaignId: number) {
  const { ok } = await fetch(`${platform().control}/campaigns/${campaignId}/first-day`, { method: 'POST' });
  expect(ok).toBe(true);
  await eventually(
    () => ask<Stage>(`/content/campaigns/${campaignId}/fi/`).catch(() => undefined),
    (found) => expect(found?.campaign.stage).toBe(funding),
    60_000,
  );
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
