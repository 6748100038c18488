import type { Page } from '@playwright/test';
import { expectAccessible, isAt, disappears, sees } from './checks';
import { asStaff } from './session';

const panel = (page: Page) => page.getByRole('region', { name: 'Tarkistus', exact: true });

/** The creator asks for the review from edit mode. */
export async function askForReview(page: Page) {
  await panel(page)
    .getByRole('button', { name: /^Pyydä tarkistusta/ })
    .click();
  await sees(panel(page).getByText('Tarkistettavana'));
}

/** An editor opens the campaign from the list of those that wait. */
export async function openReview(page: Page, title: string) {
  await asStaff(page);
  await page.goto('/review/');
  await sees(page.getByRole('heading', { level: 1, name: 'Tarkistettavana' }));
  await expectAccessible(page);
  await page.getByRole('link', { name: `Tarkista: ${title}`, exact: true }).click();
  await isAt(page, /^\/\d+\/[^/]+\/review\/$/);
  await sees(page.getByRole('heading', { level: 1, name: title }));
}

/** Asks for changes with a note on the story. */
export async function askForChanges(page: Page, note: string) {
  await page.getByRole('button', { name: 'Huomio: Tarina' }).click();
  await page.getByLabel('Huomio kohdasta Tarina').fill(note);
  await page.getByRole('button', { name: 'Tallenna huomio' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pyydä muutoksia' }).click();
  await sees(panel(page).getByText('Muutoksia pyydetty'));
}

/** The editor approves the campaign whose review is open. */
export async function approve(page: Page) {
  await page.reload();
  await page.getByRole('checkbox', { name: 'Riskit kerrotaan suoraan' }).check();
  await page.getByRole('button', { name: 'Hyväksy' }).click();
  await sees(panel(page).getByText(/^Aukeaa itsestään/));
}

/** The creator marks the one note as mended. */
export async function markMended(page: Page, note: string) {
  await sees(page.getByText(note));
  const button = page.getByRole('button', { name: 'Merkitse korjatuksi' });
  await button.click();
  await disappears(button);
}
