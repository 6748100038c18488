import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { isAt, disappears, sees } from './checks';
import { openOnFirstDay, paintPicture, written } from './creating';
import { desktop } from './journey';
import { expectFocus, pressOn, tabTo, typeDay, typeInto, typeWhoAndCard } from './keys';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, fi, seesThanks } from './paying';
import { confirmAddress, newStaff } from './session';
import { typeCode } from './signing';

// Its own, so that the journey can be repeated: the queue of reviews finds it by this.
const title = `Haitari Kainuun kouluille ${randomInt(1e6)}`;

desktop(
  'with the keyboard alone a campaign is written, reviewed, opened and paid for, and its backer gets an update',
  async ({ page, another, request }) => {
    const address = await write(page);
    const editor = await another();
    await askForChanges(editor, await newStaff(request));
    await mend(page);
    await editor.reload();
    await pressOn(editor, 'Riskit kerrotaan suoraan', 'Space');
    await pressOn(editor, 'Hyväksy');
    await sees(editor.getByText(/^Aukeaa itsestään/));
    const id = Number(address.split('/')[1]);
    await openOnFirstDay(id);
    const email = newAddress('ritva');
    await back(await another(), address, email);
    expect(await chargedTo(id)).toBe(2000);
    await sendLetter(page, address, email);
  },
);

/** Creates the campaign and asks for its review. Returns the path of its page. */
async function write(page: Page): Promise<string> {
  await page.goto('/create-campaign/');
  await sees(page.getByRole('banner'));
  await typeInto(page, 'Kampanjan nimi', 'Haitari Kainuuseen');
  await typeInto(page, 'Mitä puuttuu, yhdellä virkkeellä', written.tagline);
  await pressOn(page, 'Musiikki', 'Space');
  await pressOn(page, 'Jatka: raha ja aika');
  await expectFocus(page, 'Raha ja aika');
  await typeInto(page, 'Tavoite', '900');
  await pressOn(page, 'Kaikki tai ei mitään', 'Space');
  const next = nextMonth();
  await typeDay(page, 'Ensimmäinen päivä valinnainen', `${next}-14`);
  await typeDay(page, 'Viimeinen päivä valinnainen', `${next}-27`);
  await pressOn(page, 'Jatka: ensimmäinen vastike');
  await expectFocus(page, 'Ensimmäinen vastike');
  await typeInto(page, 'Vastikkeen nimi', 'Kiitoskortti');
  await typeInto(page, 'Hinta', '20');
  await pressOn(page, 'Jatka: kuka vastaa');
  await expectFocus(page, 'Kuka vastaa');
  await pressOn(page, 'Yhdistys', 'Space');
  await typeInto(page, 'Vastaajan nimi', 'Kainuun hanuristit ry');
  await typeInto(page, 'Sähköposti tukijoille', 'haitari@posti.example');
  await page.keyboard.press('Enter');

  await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
  await expectFocus(page, 'Sähköposti');
  await pressOn(page, 'Tee tili');
  await sees(page.getByRole('dialog', { name: 'Tee tili' }));
  await typeInto(page, 'Etunimi', 'Helvi');
  await typeInto(page, 'Sukunimi', 'Karppinen');
  const email = newAddress('helvi');
  await typeInto(page, 'Sähköposti', email);
  await typeInto(page, 'Salasana', 'pitkä ja hyvä sana');
  await typeInto(page, 'Salasana uudelleen', 'pitkä ja hyvä sana');
  await page.keyboard.press('Enter');
  await isAt(page, /^\/\d+\/[^/]+\/edit\/$/);
  await confirmAddress(page, { email });

  await typeInto(page, 'Otsikko', title);
  const asked = page.waitForEvent('filechooser'); // before the key press, or the browser opens its own dialog
  await pressOn(page, 'Vaihda kuva');
  await (await asked).setFiles(await paintPicture(page));
  const crop = page.getByRole('dialog', { name: 'Rajaa kuva' });
  await sees(crop);
  await pressOn(page, 'Käytä tätä');
  await disappears(crop);
  await sees(page.getByRole('button', { name: 'Poista kuva' }));
  await typeInto(page, 'Tarina', written.story);
  await tabTo(page, 'Suomi');
  await page.keyboard.press('ArrowRight');
  await typeInto(page, 'Otsikko', written.englishTitle);
  await tabTo(page, 'English');
  await page.keyboard.press('ArrowLeft');
  await sees(page.getByText(written.story.trim()));

  await pressOn(page, 'Lisää vastike');
  const reward = page.getByRole('dialog', { name: 'Vastikkeen muokkaus' });
  await sees(reward);
  await typeInto(page, 'Nimi: Suomi', 'Soittotunti');
  await typeInto(page, 'Hinta', '35');
  await pressOn(page, 'Tallenna vastike');
  await sees(reward.getByRole('status').filter({ hasText: 'Kaikki on tallessa' }));
  await page.keyboard.press('Escape');
  await disappears(reward);
  await expectFocus(page, 'Lisää vastike');
  await sees(page.getByRole('heading', { name: 'Soittotunti' }));

  await pressOn(page, 'Pyydä tarkistusta');
  await sees(page.getByText('Tarkistettavana', { exact: true }));
  return new URL(page.url()).pathname.replace('edit/', '');
}

async function askForChanges(editor: Page, account: Awaited<ReturnType<typeof newStaff>>) {
  await editor.goto('/');
  await sees(editor.getByRole('banner'));
  await pressOn(editor, 'Kirjaudu');
  const dialog = editor.getByRole('dialog', { name: 'Kirjaudu sisään' });
  await sees(dialog);
  await expectFocus(editor, 'Sähköposti');
  await typeInto(editor, 'Sähköposti', account.email);
  await typeInto(editor, 'Salasana', account.password);
  await editor.keyboard.press('Enter');
  await typeCode(editor, account.secret, async (code) => {
    await typeInto(editor, 'Tunnuslukusovelluksen koodi', code);
    await editor.keyboard.press('Enter');
  });
  await disappears(dialog);
  await editor.goto('/review/');
  await sees(editor.getByRole('heading', { level: 1, name: 'Tarkistettavana' }));
  await pressOn(editor, `Tarkista: ${title}`);
  await sees(editor.getByRole('heading', { level: 1, name: title }));
  await pressOn(editor, 'Huomio: Tarina');
  await typeInto(editor, 'Huomio kohdasta Tarina', 'Kuka haitaria soittaa?');
  await pressOn(editor, 'Tallenna huomio');
  await pressOn(editor, 'Pyydä muutoksia, 1 huomio');
  await sees(editor.getByText('Muutoksia pyydetty').first());
}

async function mend(page: Page) {
  await page.reload();
  await sees(page.getByText('Kuka haitaria soittaa?'));
  await tabTo(page, 'Tarina');
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' Koulun oppilaat.');
  await pressOn(page, 'Merkitse korjatuksi');
  await sees(page.getByText('Korjattu', { exact: true }));
  await pressOn(page, 'Pyydä tarkistusta uudelleen');
  await sees(page.getByText('Tarkistettavana', { exact: true }));
}

async function back(page: Page, address: string, email: string) {
  await page.goto(`/en${address}`);
  await sees(page.getByRole('heading', { level: 1, name: written.englishTitle }));
  await page.goto(address);
  await sees(page.getByRole('heading', { level: 1, name: title }));
  await pressOn(page, 'Lähde mukaan');
  await isAt(page, /\/pledge\/$/);
  await pressOn(page, 'Kiitoskortti', 'Space');
  await isAt(page, /\/pledge\/\d+$/);
  await typeWhoAndCard(page, { email, first: 'Ritva', last: 'Heino' }, cards.good);
  await pressOn(page, 'Maksa 20,00 €');
  await seesThanks(page, fi);
  await theMailTo(email, 'Kuitti');
}

async function sendLetter(page: Page, address: string, backer: string) {
  await page.goto(`${address}overview/`);
  await sees(page.getByText('tukija', { exact: true }));
  await pressOn(page, 'Kirjoita päivitys');
  await isAt(page, /\/posts\/\d+\/edit\/$/);
  await typeInto(page, 'Otsikko', 'Haitari on tilattu');
  await typeInto(page, 'Päivityksen teksti', 'Kiitos! Se tulee keväällä.');
  await tabTo(page, 'Kaikki');
  await page.keyboard.press('ArrowDown');
  await expectFocus(page, 'Tukijat');
  await pressOn(page, 'Julkaise ja lähetä');
  const dialog = page.getByRole('dialog', { name: 'Julkaistaanko päivitys?' });
  await sees(dialog.getByText('Yksi kirje lähtee heti.'));
  await page.keyboard.press('Tab');
  await pressOn(page, 'Julkaise ja lähetä');
  await disappears(dialog);
  const letter = await theMailTo(backer, 'Haitari on tilattu');
  expect(letter.text).toContain('Se tulee keväällä.');
}

/** YYYY-MM. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
}
