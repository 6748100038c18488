import type { Page } from 'playwright-core';
import { isAt, loses, sees, eventually } from './checks';
import { demoCampaign } from './demo';
import { desktop, journey } from './journey';
import { newAddress, theMailTo } from './mailbox';
import { cards, chargedTo, challenge, fi, seesThanks } from './paying';

const maxPresses = 150;

journey('from the front page to a paid pledge with the keyboard alone', desktop, async ({ page }) => {
  const { id, address, title } = await demoCampaign('korjaamokahvila-lieksaan');
  const email = newAddress('helmi');
  await page.goto('/');
  await sees(page.getByRole('banner')); // the app has started: the server paints no controls

  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Siirry sisältöön');
  await tabTo(page, 'Kirjaudu');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
  await sees(dialog);
  for (let press = 0; press < 12; press += 1) await page.keyboard.press('Tab');
  expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await loses(dialog);
  await expectFocus(page, 'Kirjaudu');

  await shiftTabTo(page, 'Hae kampanjoita');
  await page.keyboard.type('korjaamokahvila');
  await page.keyboard.press('Enter');
  await isAt(page, /keyword=korjaamokahvila/);
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
  await sees(page.getByRole('button', { name: 'Maksa 12,00 €' }));
  await page.keyboard.press('ArrowDown');
  await sees(page.getByRole('button', { name: 'Maksa 60,00 €' }));
  await tabTo(page, 'Sähköposti');
  await page.keyboard.type(email);
  await tabTo(page, 'Etunimi');
  await page.keyboard.type('Helmi');
  await tabTo(page, 'Sukunimi');
  await page.keyboard.type('Ranta');
  await tabTo(page, 'Kortin numero');
  await page.keyboard.type(cards.secure);
  await page.keyboard.press('Tab');
  await page.keyboard.type('1230');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await tabTo(page, 'Maksa 60,00 €');
  await page.keyboard.press('Space');

  await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
  await page.keyboard.press('Escape');
  await sees(page.getByRole('alert').getByText('Pankin vahvistus jäi kesken.'));
  await expectFocus(page, 'Pankin vahvistus jäi kesken. Mitään ei veloitettu. Voit kokeilla uudelleen.');
  await tabTo(page, 'Maksa 60,00 €');
  await page.keyboard.press('Enter');
  await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
  await tabTo(page, 'Hyväksy maksu');
  await page.keyboard.press('Enter');
  await seesThanks(page, fi);
  await theMailTo(email);
  expect(await chargedTo(id)).toBe(6000);
});

/** Waits until the element with this name has the focus. */
async function expectFocus(page: Page, name: string) {
  await eventually(
    () => focused(page),
    (here) => expect(here).toBe(name),
  );
}

/** Presses Tab until the element with this name has the focus. Every stop on the way must have a visible focus. */
async function tabTo(page: Page, name: string) {
  await pressUntil(page, name, 'Tab');
}

async function shiftTabTo(page: Page, name: string) {
  await pressUntil(page, name, 'Shift+Tab');
}

async function pressUntil(page: Page, name: string, key: string) {
  const passed: string[] = [];
  for (let press = 0; press < maxPresses; press += 1) {
    const here = await focused(page);
    if (here === name) return;
    passed.push(here);
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach “${name}”. It passed: ${passed.join(' | ')}`);
}

/** The name of the focused element, in the page or in an iframe. Fails if its focus is not visible. */
async function focused(page: Page): Promise<string> {
  for (const frame of page.frames()) {
    const found = await frame.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || element instanceof HTMLIFrameElement) return undefined;
      if (!document.hasFocus()) return undefined;
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      // The label of an OptionRow also contains the price; its first line is the name.
      const words = labels.map((label) => label.innerText.trim().split('\n')[0]).join(' ');
      const name = element.getAttribute('aria-label') ?? (words || (element as HTMLElement).innerText.trim());
      const isHeading = element.matches('h1, main');
      // The focus style may be on the control itself or on the row or field around it.
      const holders = [element, ...labels];
      for (let at = element.parentElement, up = 0; at && up < 3; at = at.parentElement, up += 1)
        holders.push(at);
      const isVisible = holders.some((holder) => {
        // The link of a CardTitle has its outline on ::after, around the whole card.
        return [null, '::before', '::after'].some((part) => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(holder, part);
          return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
        });
      });
      return { name: name.replace(/\s+/g, ' '), isVisible: isVisible || isHeading };
    });
    if (!found) continue;
    if (!found.isVisible) throw new Error(`The focus on “${found.name}” cannot be seen.`);
    return found.name;
  }
  return '';
}
