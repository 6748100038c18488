import type { Page } from 'playwright-core';
import { loses, sees } from './checks';
import { newAddress } from './mailbox';

export interface Account {
  email: string;
  password: string;
}

export interface NewAccount extends Account {
  first: string;
  last: string;
}

/** Signs in from the header, on a phone from its menu. The page has to be in Finnish. */
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
  await loses(dialog);
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
  await loses(dialog);
}

/** An account that nobody has yet. */
export function newAccount(name: string): NewAccount {
  const first = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
  return { email: newAddress(name), password: 'pitkä ja hyvä sana', first, last: 'Hietala' };
}
