import { expect } from '@playwright/test';
import { sees } from './checks';
import { openDraft, openForm } from './creating';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { newAccount, signUp } from './signing';

// An account is made in the middle of something else, which then goes on by itself. The dialog fades out meanwhile, as
// it does for most people; other journeys ask for no motion.
const moving = desktop.extend({ contextOptions: { reducedMotion: 'no-preference' } });

moving('an account made inside the form for a campaign leads on to its page', async ({ page }) => {
  await openForm(page, 'Suoraan sivulle');
  await page.getByLabel('Kampanjan nimi').fill('Soutuvene saareen');
  await openDraft(page, newAccount('helka'), 'Soutuvene saareen');
});

moving('an account made inside a like sends the like', async ({ page }) => {
  const { address } = await demoCampaign('kurkipelto-takaisin');
  await page.goto(address);
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/likes/') && answer.ok());
  await page.getByRole('button', { name: /^Tykkää/ }).click();
  await sees(page.getByRole('dialog', { name: 'Kirjaudu sisään' }));
  await signUp(page, newAccount('helka'));
  await stored;
  await page.reload();
  await expect(page.getByRole('button', { name: /^Tykkää/, pressed: true })).toBeVisible();
});
