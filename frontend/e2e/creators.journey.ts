import { expectAccessible, sees } from './checks';
import { openDraft, openForm } from './creating';
import { tellCreatorsStory } from './creatorStory';
import { desktop, journey } from './journey';
import { newAccount } from './signing';

// Three people take turns.
jest.setTimeout(300_000);

journey('a campaign goes from its first word to a letter to its backers', desktop, async (visitor) => {
  await tellCreatorsStory(visitor, 'Soittorasia lukusaliin');
});

journey('a campaign begins with its name alone', desktop, async ({ page }) => {
  await openForm(page, 'Suoraan sivulle');
  await expectAccessible(page);
  await page.getByLabel('Kampanjan nimi').fill('Kirjasto raiteille');
  await openDraft(page, newAccount('raimo'), 'Kirjasto raiteille');
  await sees(page.getByText('Luonnos, vain sinä ja tiimi näette tämän'));
});
