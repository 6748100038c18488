import { expect } from '@playwright/test';
import { disappears, expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { cards, challenge, fi, fillCard, pressPay, seesThanks } from './paying';
import { asNew } from './session';
import { newAccount } from './signing';

desktop(
  'in the dialog over a campaign a card pays with 3-D Secure and is kept, and pays the next campaign by one press',
  async ({ page }) => {
    const first = await demoCampaign('sata-kanteletta-kouluille');
    const second = await demoCampaign('lyktstigen-i-ekenas');
    await asNew(page, newAccount('saimi'));
    await page.goto(first.address);
    const opener = page.getByRole('link', { name: 'Tue ilman vastiketta' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Tue pikaisesti' });
    await sees(dialog);
    await expect(page).toHaveURL(/#pledge$/);
    await page.keyboard.press('Escape');
    await disappears(dialog);
    await expect(page).not.toHaveURL(/#/);
    await expect(opener).toBeFocused();

    await page.goto(`${first.address}#pledge`);
    await dialog.getByRole('radio', { name: '25 €' }).check();
    await fillCard(page, cards.secure);
    await page.getByLabel('Muista kortti seuraavalla kerralla').check();
    await expectAccessible(page);
    const question = page.getByRole('dialog', { name: 'Suljetaanko tuki?' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Sulje' }).click(),
    ]) {
      await close();
      await question.getByRole('button', { name: 'Jatka' }).click();
    }
    await pressPay(page, fi);
    await challenge(page).locator('button[value="pass"]').click();
    await seesThanks(page, fi);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${second.address}#pledge`);
    await expect(dialog.getByRole('radio', { name: 'Visa ···· 3184' })).toBeChecked();
    await dialog.getByRole('radio', { name: '10 €' }).check();
    await expectNoSidewaysScroll(page);
    await pressPay(page, fi);
    await challenge(page).locator('button[value="pass"]').click();
    await seesThanks(page, fi);
  },
);
