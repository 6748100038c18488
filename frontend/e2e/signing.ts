import type { Page } from '@playwright/test';
import { disappears, sees } from './checks';
import { freshCode } from './codes';
import { newAddress } from './mailbox';

/** What a person signs in with. */
export interface Account {
  email: string;
  password: string;
  /** Of the code app, if the account has one. */
  secret?: string;
}

/** What a person registers with. */
export interface NewAccount extends Account {
  first: string;
  last: string;
}

/** Signs in from the header by hand, on a phone from its menu. The page has to be in Finnish. */
export async function signIn(page: Page, account: Account) {
  const banner = page.getByRole('banner');
  await sees(banner);
  const menu = banner.getByRole('button', { name: 'Valikko' });
  const isPhone = await menu.isVisible();
  if (isPhone) await menu.click();
  const place = isPhone ? page.getByRole('dialog', { name: 'Valikko' }) : banner;
  await place.getByRole('button', { name: 'Kirjaudu' }).click();
  const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
  await dialog.getByLabel('Sähköposti').fill(account.email);
  await dialog.getByLabel('Salasana', { exact: true }).fill(account.password);
  await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
  if (account.secret) await typeCode(page, account.secret);
  await disappears(dialog);
}

/** Opens the menu below the reader's face; the page has to be in Finnish. */
export async function openMenu(page: Page) {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /, Valikko$/ })
    .press('Enter');
  const menu = page.getByRole('menu', { name: 'Valikko' });
  await sees(menu);
  return menu;
}

/** Presses "sign out" in the reader's menu, by hand or with the keyboard. */
export async function pressSignOut(page: Page) {
  await (await openMenu(page)).getByRole('menuitem', { name: 'Kirjaudu ulos' }).press('Enter');
}

/** Shows a code of a code app, by default with field and button. */
export async function typeCode(page: Page, secret: string, type?: (code: string) => Promise<void>) {
  const dialog = page.getByRole('dialog', { name: 'Vielä toinen vaihe' });
  await sees(dialog);
  const fill = async (code: string) => {
    await dialog.getByLabel('Tunnuslukusovelluksen koodi').fill(code);
    await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
  };
  await (type ?? fill)(await freshCode(secret));
  await disappears(dialog);
}

/** Fills in and sends the form for a new account; the sign-in dialog is open. */
export async function signUp(page: Page, { email, password, first, last }: NewAccount) {
  await page.getByRole('dialog').getByRole('button', { name: 'Tee tili' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tee tili' });
  await dialog.getByLabel('Etunimi').fill(first);
  await dialog.getByLabel('Sukunimi').fill(last);
  await dialog.getByLabel('Sähköposti').fill(email);
  await dialog.getByLabel('Salasana', { exact: true }).fill(password);
  await dialog.getByLabel('Salasana uudelleen').fill(password);
  await dialog.getByRole('button', { name: 'Tee tili' }).click();
  await disappears(dialog);
}

const asked = {
  fi: { title: 'Vahvista, että se olet sinä', password: 'Salasana', confirm: 'Vahvista' },
  en: { title: 'Confirm that it is you', password: 'Password', confirm: 'Confirm' },
};

/** Shows the password again, where something asks for it. */
export async function confirmIdentity(
  page: Page,
  { password }: NewAccount,
  language: keyof typeof asked = 'fi',
) {
  const words = asked[language];
  const dialog = page.getByRole('dialog', { name: words.title });
  await dialog.getByLabel(words.password, { exact: true }).fill(password);
  await dialog.getByRole('button', { name: words.confirm, exact: true }).click();
  await disappears(dialog);
}

/** A last name that nobody else has; of letters alone, since a name with many digits is taken for a phone number. */
export const ownName = (name: string) =>
  name +
  Array.from(Date.now().toString(26), (digit) => String.fromCharCode(97 + parseInt(digit, 26))).join('');

/** The data of an account that does not exist yet. */
export function newAccount(name: string): NewAccount {
  const first = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
  return { email: newAddress(name), password: 'pitkä ja hyvä sana', first, last: 'Hietala' };
}
