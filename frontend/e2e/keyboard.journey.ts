import { expect } from '@playwright/test';
import { isAt, disappears, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { expectFocus, focused, shiftTabTo, tabTo, typeWhoAndCard } from './keys';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, challenge, fi, seesThanks } from './paying';

desktop('from the front page to a paid pledge with the keyboard alone', async ({ page }) => {
  const { id, address, title } = await demoCampaign('korjaamokahvila-lieksaan');
  const email = newAddress('helmi');
  await page.goto('/');
  await sees(page.getByRole('banner')); // the app has started: the server-rendered page has no banner

  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Siirry sisältöön');
  await tabTo(page, 'Kirjaudu');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
  await sees(dialog);
  for (let press = 0; press < 12; press += 1) await page.keyboard.press('Tab');
  expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await disappears(dialog);
  await expectFocus(page, 'Kirjaudu');

  await shiftTabTo(page, 'Hae Talkoista');
  await page.keyboard.type('korjaamokahvila');
  await page.keyboard.press('Enter');
  await isAt(page, /\/search\/\?q=korjaamokahvila$/);
  await sees(page.getByRole('link', { name: title }));
  await tabTo(page, title);
  await page.keyboard.press('Enter');
  await isAt(page, address);
  await sees(page.getByRole('heading', { level: 1, name: title }));

  await tabTo(page, 'Lähde mukaan');
  await page.keyboard.press('Enter');
  await isAt(page, `${address}pledge/`);
  await sees(page.getByRole('heading', { level: 1, name: 'Lähde mukaan' }));
  await tabTo(page, 'Kahvi odottamaan');
  await page.keyboard.press('Space');
  await isAt(page, /\/pledge\/\d+$/);
  const toPay = page.getByRole('complementary', { name: 'Yhteenveto' });
  await sees(toPay.getByText('12,00').first());
  await page.keyboard.press('ArrowDown');
  await sees(toPay.getByText('60,00').first());
  await typeWhoAndCard(page, { email, first: 'Helmi', last: 'Ranta' }, cards.secure);
  await tabTo(page, 'Maksa 60,00 €');
  await page.keyboard.press('Space');

  await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
  await page.keyboard.press('Escape');
  await sees(page.getByRole('alert').getByText('Pankin vahvistus jäi kesken.'));
  await expectFocus(page, 'Pankin vahvistus jäi kesken. Mitään ei veloitettu. Voit kokeilla uudelleen.');
  await tabTo(page, 'Avaa pankin vahvistus uudelleen');
  await page.keyboard.press('Enter');
  await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
  await tabTo(page, 'Hyväksy maksu');
  await page.keyboard.press('Enter');
  await seesThanks(page, fi);
  await theMailTo(email);
  expect(await chargedTo(id)).toBe(6000);
});
