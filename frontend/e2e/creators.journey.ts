import { expectAccessible, sees } from './checks';
import { openDraft, openForm } from './creating';
import { runCreatorFlow } from './creatorFlow';
import { desktop } from './journey';
import { newAccount } from './signing';

desktop(
  'a campaign is written, reviewed, opened and paid for, and its backer gets an update',
  async ({ page, another }) => {
    await runCreatorFlow(page, another, 'Soittorasia lukusaliin');
  },
);

desktop('a campaign can be created with a title alone', async ({ page }) => {
  await openForm(page, 'Suoraan sivulle');
  await expectAccessible(page);
  await page.getByLabel('Kampanjan nimi').fill('Kirjasto raiteille');
  await openDraft(page, newAccount('raimo'), 'Kirjasto raiteille');
  await sees(page.getByText('Luonnos, vain sinä ja tiimi näette tämän'));
});
