import { isAt, loses, sees } from './checks';
import { paintPicture, written } from './creating';
import { desktop, journey } from './journey';
import { expectFocus, pressOn, typeDay, typeInto } from './keys';
import { newAddress } from './mailbox';

journey(
  'a campaign is begun, written and sent to review with the keyboard alone',
  desktop,
  async ({ page }) => {
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
    await typeInto(page, 'Vastikkeen nimi', 'Kiitoskortti');
    await typeInto(page, 'Hinta', '20');
    await pressOn(page, 'Jatka: kuka vastaa');
    await pressOn(page, 'Yhdistys', 'Space');
    await typeInto(page, 'Vastaajan nimi', 'Kainuun hanuristit ry');
    await typeInto(page, 'Sähköposti tukijoille', 'haitari@posti.example');
    await page.keyboard.press('Enter');

    await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
    await pressOn(page, 'Tee tili');
    await sees(page.getByRole('dialog', { name: 'Tee tili' }));
    await typeInto(page, 'Etunimi', 'Helvi');
    await typeInto(page, 'Sukunimi', 'Karppinen');
    await typeInto(page, 'Sähköposti', newAddress('helvi'));
    await typeInto(page, 'Salasana', 'pitkä ja hyvä sana');
    await typeInto(page, 'Salasana uudelleen', 'pitkä ja hyvä sana');
    await page.keyboard.press('Enter');
    await isAt(page, /^\/\d+\/[^/]+\/edit\/$/);

    await typeInto(page, 'Otsikko', 'Haitari Kainuun kouluille');
    const asked = page.waitForEvent('filechooser'); // before the key, or the browser's own dialog opens
    await pressOn(page, 'Vaihda kuva');
    await (await asked).setFiles(await paintPicture(page));
    const crop = page.getByRole('dialog', { name: 'Rajaa kuva' });
    await sees(crop);
    await pressOn(page, 'Käytä tätä');
    await loses(crop);
    await sees(page.getByRole('button', { name: 'Poista kuva' }));
    await typeInto(page, 'Tarina', written.story);

    await pressOn(page, 'Lisää vastike');
    const reward = page.getByRole('dialog', { name: 'Vastikkeen muokkaus' });
    await sees(reward);
    await typeInto(page, 'Nimi: Suomi', 'Soittotunti');
    await typeInto(page, 'Hinta', '35');
    await pressOn(page, 'Tallenna vastike');
    await sees(reward.getByRole('status').filter({ hasText: 'Kaikki on tallessa' }));
    await page.keyboard.press('Escape');
    await loses(reward);
    await expectFocus(page, 'Lisää vastike');
    await sees(page.getByRole('heading', { name: 'Soittotunti' }));

    await pressOn(page, 'Pyydä tarkistusta');
    await sees(page.getByText('Tarkistettavana', { exact: true }));
  },
);

/** YYYY-MM. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
}
