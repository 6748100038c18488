import { expectAccessible, sees } from './checks';
import { openDraft, openForm } from './creating';
import { runCreatorFlow } from './creatorFlow';
import { desktop, journey } from './journey';
import { newAccount } from './signing';

// The first journey has three people, so it takes longer than the default.
jest.setTimeout(600_000);

journey(
  'a campaign is written, reviewed, opened and paid for, and its backer gets an update',
  desktop,
  async (visitor) => {
    await runCreatorFlow(visitor, 'Soittorasia lukusaliin');
  },
);

journey('a campaign can be created with a title alone', desktop, async ({ page }) => {
  await openForm(page, 'Suoraan sivulle');
  await expectAccessible(page);
  await page.getByLabel('Kampanjan nimi').fill('Kirjasto raiteille');
  await openDraft(page, newAccount('raimo'), 'Kirjasto raiteille');
  await sees(page.getByText('Luonnos, vain sinä ja tiimi näette tämän'));
});
