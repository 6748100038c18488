import { expect, type Page } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees } from './checks';
import { backer } from './demo';
import { desktop, phone } from './journey';
import { allMailsTo, linkIn, type Mail } from './mailbox';
import { untilQuiet } from './quiet';
import { as, asNew, asStaff } from './session';
import { confirmIdentity, newAccount, ownName, pressSignOut, signUp, type NewAccount } from './signing';

/** A picture of one colour, made by the browser. */
async function aPicture(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 400;
    canvas.height = 400;
    const paper = canvas.getContext('2d');
    if (paper) {
      paper.fillStyle = '#17503f';
      paper.fillRect(0, 0, 400, 400);
    }
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  return { name: 'minä.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(data, 'base64') };
}

/** Opens the link in a mail to an address, as soon as there is one that says something. */
async function openMailedLink(page: Page, email: string, says: RegExp) {
  let mail: Mail | undefined;
  await eventually(
    async () => (mail = (await allMailsTo(email)).find(({ text }) => says.test(text))),
    (found) => expect(found).toBeDefined(),
  );
  if (mail) await page.goto(linkIn(mail, /\/verify-email\//));
}

/** Uses the link that confirms an address, from its mail. */
async function confirmAddress(page: Page, { email }: NewAccount) {
  await openMailedLink(page, email, /Vahvista sähköpostiosoite/);
  await page.getByRole('button', { name: 'Vahvista osoite' }).click();
  await sees(page.getByText(/Osoite on vahvistettu/));
}

async function register(page: Page, account: NewAccount) {
  await page.goto('/profile/me/');
  await page.getByRole('main').getByRole('button', { name: 'Kirjaudu' }).click();
  await signUp(page, account);
  await sees(page.getByLabel('Etunimi'));
}

desktop(
  'somebody introduces themself, a stranger reads it, an admin verifies and blocks them',
  async ({ page, another, errors }) => {
    const account = { ...newAccount('helmi'), last: ownName('Karppinen') };
    const name = `${account.first} ${account.last}`;
    await register(page, account);
    await confirmAddress(page, account);

    await page.goto('/profile/me/');
    await page.getByLabel('Esittely').fill('Korjaan, mitä muut heittävät pois.');
    await page.getByLabel('Uusi taito').fill('Parsiminen');
    await page.getByLabel('Uusi taito').press('Enter');
    await page.getByRole('button', { name: /Lisää linkki/ }).click();
    await page.getByLabel('Linkin nimi').fill('Instagram');
    await page.getByLabel('Linkin osoite').fill('instagram.com/helmi');
    await sees(page.getByText('3 tallentamatonta muutosta'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Tallenna muutokset' }).click();
    await sees(page.getByText('Profiili on tallennettu.'));

    await page.getByLabel('Vaihda kuva').setInputFiles(await aPicture(page));
    await page.getByRole('dialog').getByRole('button', { name: 'Käytä tätä' }).click();
    await sees(page.getByText('Kuva on tallennettu.'));

    await page.getByRole('link', { name: 'Katso julkinen profiili' }).click();
    await isAt(page, /^\/profile\/\d+\/$/);
    const { pathname } = new URL(page.url());

    const stranger = await another();
    await stranger.goto('/en/profiles/');
    await stranger.getByRole('main').getByRole('searchbox').fill(account.last);
    await stranger.getByRole('main').getByRole('searchbox').press('Enter');
    await stranger.getByRole('link', { name }).click();
    await sees(stranger.getByRole('heading', { level: 1, name }));
    await sees(stranger.getByText('Parsiminen'));
    await sees(stranger.getByRole('link', { name: 'Instagram' }));
    expect(await stranger.content()).not.toContain(account.email);
    await expectAccessible(stranger);
    await expectNoSidewaysScroll(stranger);

    const staff = await another();
    const admin = await asStaff(staff);
    await staff.goto(`/admin/people/?keyword=${encodeURIComponent(account.email)}`);
    await staff.getByRole('button', { name: `Muuta: ${name}` }).click();
    const dialog = staff.getByRole('dialog', { name });
    await dialog.getByRole('switch', { name: 'Vahvistettu tekijä' }).check({ force: true });
    await expectAccessible(staff);
    await dialog.getByRole('button', { name: 'Tallenna' }).click();
    await disappears(dialog);
    await stranger.reload();
    await sees(stranger.getByText('Verified creator'));

    await staff.getByRole('button', { name: `Muuta: ${name}` }).click();
    await dialog.getByLabel('Syy').fill('Mainostaa muiden sivuilla');
    await dialog.getByRole('button', { name: 'Estä tili' }).click();
    errors.expect(/\/users\/\d+\/admin\/$/, 403); // who it is has not been shown lately
    await dialog.getByRole('button', { name: 'Estä tili' }).click();
    await confirmIdentity(staff, admin);
    await disappears(dialog);
    await staff.getByRole('link', { name: 'Muutokset' }).click();
    await sees(staff.getByText('Mainostaa muiden sivuilla'));
    await expectAccessible(staff);
    await expectNoSidewaysScroll(staff);

    errors.expect(new RegExp(pathname), 404);
    errors.expect(/\/users\/\d+\/profile/, 404);
    await eventually(
      async () => stranger.goto(`/en${pathname}`),
      (response) => expect(response?.status()).toBe(404),
    );
  },
);

phone(
  'who registers again is signed in like anybody new; a mail brings what they did to their account',
  async ({ page, another, errors }) => {
    const account = newAccount('kaksi');
    await asNew(page, account);
    await confirmAddress(page, account);
    const later = await another();
    await register(later, { ...account, password: `${account.password} toinen` });
    await openMailedLink(later, account.email, /tilejä on nyt kaksi/);
    errors.expect(/\/users\/verifications\//, 409);
    await later.getByRole('button', { name: 'Vahvista osoite' }).click();
    await sees(later.getByText(/vahvistettu toiselle tilille/));
    await expectAccessible(later);
    await expectNoSidewaysScroll(later);
    await later.getByRole('button', { name: 'Siirrä aiemmalle tilille' }).click();
    await sees(later.getByText(/nyt aiemmalla tililläsi/));
    await expectAccessible(later);
  },
);

phone('people are found on a phone', async ({ page }) => {
  await page.goto('/en/profiles/');
  await sees(page.getByRole('heading', { level: 1, name: 'People who make things happen' }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('main').getByRole('searchbox').fill('näkkäläj');
  await page.getByRole('main').getByRole('searchbox').press('Enter');
  await page.getByRole('link', { name: 'Áile Näkkäläjärvi' }).tap();
  await sees(page.getByRole('heading', { level: 1, name: 'Áile Näkkäläjärvi' }));
  await expectAccessible(page);
});

desktop(
  'with the keyboard alone a profile is edited, and signing out leads to its page',
  async ({ page }) => {
    await as(page, backer);
    await page.goto('/profile/me/');
    const skill = page.getByLabel('Uusi taito');
    const added = `Kirje ${Date.now().toString(36)}`;
    await skill.focus();
    await page.keyboard.type(added);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Tallenna muutokset' }).focus();
    await page.keyboard.press('Enter');
    await sees(page.getByText('Profiili on tallennettu.'));
    await page.getByRole('button', { name: `Poista ${added}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Tallenna muutokset' }).focus();
    // What is read again after saving would be refused once the session has ended.
    await untilQuiet(page, () => page.keyboard.press('Enter'));
    await disappears(page.getByRole('button', { name: 'Tallenna muutokset' }));
    await pressSignOut(page);
    await isAt(page, /^\/profile\/\d+\/$/);
  },
);
