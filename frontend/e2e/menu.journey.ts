import { expect } from '@playwright/test';
import { disappears, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { backer, editor } from './demo';
import { desktop, phone } from './journey';
import { as, asNew } from './session';
import { newAccount, openMenu } from './signing';

desktop('the keyboard alone walks the menu, in both themes', async ({ page }) => {
  await as(page, backer);
  await page.goto('/');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const menu = await openMenu(page);
    await expect(menu.getByRole('menuitem', { name: /^Tukesi/ })).toBeFocused();
    await sees(page.getByText(backer.email));
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await disappears(menu);
    await expect(page.getByRole('banner').getByRole('button', { name: /, Valikko$/ })).toBeFocused();
  }
  await openMenu(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await isAt(page, '/profile/me/calendar/');
});

desktop('the header stays on one line, whatever the language and the name', async ({ page }) => {
  await asNew(page, { ...newAccount('maximiliana'), first: 'Maximiliana' });
  for (const width of [1180, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/sv/');
    const start = page.getByRole('banner').getByRole('link', { name: 'Starta en kampanj' });
    await sees(start);
    expect((await start.boundingBox())?.height, `at ${width}`).toBeLessThanOrEqual(44);
    await expectNoSidewaysScroll(page);
  }
});

desktop('staff have their desk first', async ({ page }) => {
  await as(page, editor);
  await page.goto('/');
  const menu = await openMenu(page);
  await sees(menu.getByRole('menuitem', { name: /^Tarkistettavana/ }));
  await menu.getByRole('menuitem', { name: 'Ylläpito' }).click();
  await isAt(page, '/admin/campaigns/');
});

phone('the face opens a sheet with what one has, and the site’s links', async ({ page }) => {
  await as(page, backer);
  await page.goto('/en/');
  await page.getByRole('button', { name: /, Menu$/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'Menu' });
  await sees(sheet.getByRole('link', { name: /^Your pledges/ }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await sheet.getByRole('link', { name: /^Monthly support/ }).tap();
  await isAt(page, '/en/profile/me/subscriptions/');
});

phone('whoever supports without an account asks for the links in the menu', async ({ page }) => {
  await page.goto('/en/');
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  const sheet = page.getByRole('dialog', { name: 'Menu' });
  await sheet.getByLabel('Email').fill('nobody@posti.example');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Send the links' }).tap();
  await sees(sheet.getByText('If the address has pledges, the links are on their way.'));
});
