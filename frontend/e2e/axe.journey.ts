import { expect } from '@playwright/test';
import { expectAccessible } from './checks';
import { desktop } from './journey';

desktop(
  'the check of accessibility sees a planted fault, in either theme and in a frame',
  async ({ page }) => {
    await page.goto('/');
    await expectAccessible(page);
    const plant = async (html: string) => {
      await page.evaluate((text) => {
        const place = document.createElement('div');
        place.id = 'planted';
        place.innerHTML = text;
        document.querySelector('main')?.append(place);
      }, html);
    };
    const takeBack = () =>
      page.evaluate(() => {
        document.querySelector('#planted')?.remove();
      });

    await plant('<input type="text">');
    await expect(expectAccessible(page)).rejects.toThrow('light label');
    await takeBack();

    await plant('<p style="background: white; color: light-dark(black, #eee)">Hello</p>');
    await expect(expectAccessible(page)).rejects.toThrow('dark color-contrast');
    await takeBack();

    await plant('<iframe title="Form" srcdoc="<html lang=fi><title>Form</title><input>"></iframe>');
    await page.frameLocator('iframe[title="Form"]').locator('input').waitFor();
    await expect(expectAccessible(page)).rejects.toThrow('light label');
    await takeBack();

    await expectAccessible(page);
  },
);

desktop('a page follows the theme of the system before the app has started', async ({ page }) => {
  await page.route(/assets.(?!first)[^/]*js$/, () => undefined); // The app's scripts do not come.
  await page.goto('/', { waitUntil: 'commit' });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme);
  }
  await expect(page.getByRole('contentinfo')).toBeHidden();
});
