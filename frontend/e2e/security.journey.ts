import { expect, type Page } from '@playwright/test';
import { addAuthenticator } from './authenticator';
import { expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees } from './checks';
import { freshCode } from './codes';
import { editor } from './demo';
import { desktop, phone } from './journey';
import { pressOn, tabTo, typeInto } from './keys';
import { theMailTo } from './mailbox';
import { as, asNew } from './session';
import {
  confirmIdentity,
  newAccount,
  openMenu,
  pressSignOut,
  signIn,
  signUp,
  typeCode,
  type NewAccount,
} from './signing';

const securityPage = '/profile/me/security/';
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Goes to the page about signing in with a new account. */
async function begin(page: Page, account: NewAccount) {
  await asNew(page, account);
  await page.goto(securityPage);
  await sees(page.getByText('Tiliäsi suojaa pelkkä salasana.'));
}

async function signOut(page: Page) {
  await pressSignOut(page);
  await sees(page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
}

desktop(
  'a new account is confirmed, and gets a new password by mail once it is forgotten',
  async ({ page, errors, another }) => {
    const account = newAccount('aino');
    await page.goto(securityPage);
    await page.getByRole('main').getByRole('button', { name: 'Kirjaudu' }).click();
    await signUp(page, account);
    await sees(page.getByText('Tiliäsi suojaa pelkkä salasana.'));
    const elsewhere = await another();
    await as(elsewhere, account);
    await elsewhere.goto('/');
    await sees(elsewhere.getByRole('banner').getByText(account.first));

    await signOut(page);
    await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await page.getByRole('link', { name: 'Unohtuiko salasana?' }).click();
    await isAt(page, '/password-reset/');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Sähköposti').fill(account.email);
    await page.getByRole('button', { name: 'Lähetä linkki' }).click();
    await sees(page.getByText('Katso sähköpostisi'));

    const mail = await theMailTo(account.email, 'Aseta uusi salasana');
    const link = /http\S+\/password-reset\/\S+/.exec(mail.text)?.[0] ?? '';
    await page.goto(link);
    await isAt(page, '/password-reset/'); // the token is taken out of the address
    expect(await page.getByLabel('Sähköposti').inputValue()).toBe(account.email);
    await expectAccessible(page);
    await page.getByLabel('Uusi salasana', { exact: true }).fill('password1');
    await page.getByLabel('Uusi salasana uudelleen').fill('password1');
    errors.expect(/\/users\/password_changes\//, 422);
    await page.getByRole('button', { name: 'Aseta salasana' }).click();
    await sees(page.getByText(/yleinen ja arvataan/));
    await page.getByLabel('Uusi salasana', { exact: true }).fill('seitsemän harmaata kiveä');
    await page.getByLabel('Uusi salasana uudelleen').fill('seitsemän harmaata kiveä');
    await page.getByRole('button', { name: 'Aseta salasana' }).click();
    await sees(page.getByText('Salasana on vaihdettu'));

    await page.getByRole('main').getByRole('button', { name: 'Kirjaudu' }).click();
    const form = dialog(page, 'Kirjaudu sisään');
    expect(await form.getByLabel('Sähköposti').inputValue()).toBe(account.email);
    await form.getByLabel('Salasana', { exact: true }).fill('seitsemän harmaata kiveä');
    await form.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await disappears(form);
    await theMailTo(account.email, 'Salasanasi vaihdettiin');

    errors.expect(/\/users\/me\//, 401); // the other device has been signed out
    await elsewhere.goto(securityPage);
    await sees(elsewhere.getByRole('main').getByRole('button', { name: 'Kirjaudu' }));

    errors.expect(/\/users\/password_changes\//, 410);
    await page.goto('/'); // a link that differs in its fragment alone would load nothing
    await page.goto(link);
    await page.getByLabel('Uusi salasana', { exact: true }).fill('kahdeksan harmaata kiveä');
    await page.getByLabel('Uusi salasana uudelleen').fill('kahdeksan harmaata kiveä');
    await page.getByRole('button', { name: 'Aseta salasana' }).click();
    await sees(page.getByText('Linkki on käytetty tai vanhentunut.'));
    await page.getByRole('button', { name: 'Pyydä uusi linkki' }).click();
    await sees(page.getByRole('button', { name: 'Lähetä linkki' }));
  },
);

desktop(
  'a code app is set up, asked for at sign-in, and stood in for by a backup code',
  async ({ page, errors }) => {
    const account = newAccount('eero');
    await begin(page, account);
    await page.getByRole('switch', { name: /Tunnuslukusovellus/ }).click();
    await confirmIdentity(page, account);
    const setUp = dialog(page, 'Ota tunnuslukusovellus käyttöön');
    await sees(setUp.getByRole('img', { name: /tunnuslukusovellus/ }));
    await expectAccessible(page);
    const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await setUp.getByLabel('Koodi sovelluksesta').fill(await freshCode(secret));
    await setUp.getByRole('button', { name: 'Ota käyttöön' }).click();
    const codes = dialog(page, 'Varakoodisi');
    await sees(codes);
    await expectAccessible(page);
    const backup = (await codes.getByRole('listitem').allTextContents())[0] ?? '';
    expect(backup).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    await codes.getByRole('button', { name: 'Koodit ovat tallessa' }).click();
    await sees(page.getByText(/kaksi vaihetta on käytössä/));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await theMailTo(account.email, 'Tunnuslukusovellus otettiin käyttöön');

    await signOut(page);
    await page.goto('/');
    await signIn(page, { ...account, secret });
    await sees(page.getByRole('banner').getByText(account.first));

    await signOut(page);
    await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    const form = dialog(page, 'Kirjaudu sisään');
    await form.getByLabel('Sähköposti').fill(account.email);
    await form.getByLabel('Salasana', { exact: true }).fill(account.password);
    await form.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    const step = dialog(page, 'Vielä toinen vaihe');
    await sees(step);
    await expectAccessible(page);
    errors.expect(/\/users\/tokens\/second_step\//, 401);
    await step.getByLabel('Tunnuslukusovelluksen koodi').fill('000000');
    await step.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await sees(step.getByText(/^Toinen vaihe ei täsmää/));
    await step.getByRole('button', { name: 'Käytä varakoodia' }).click();
    await step.getByLabel('Varakoodi').fill(backup.toLowerCase());
    await step.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await disappears(step);
    await page.goto(securityPage);
    await sees(page.getByText(/^9 jäljellä/));

    await page.getByRole('button', { name: 'Vaihda salasana' }).click();
    const change = dialog(page, 'Vaihda salasana');
    await expectAccessible(page);
    await change.getByLabel('Nykyinen salasana').fill(account.password);
    await change.getByLabel('Uusi salasana', { exact: true }).fill(account.password);
    await change.getByLabel('Uusi salasana uudelleen').fill(account.password);
    await change.getByRole('button', { name: 'Vaihda salasana' }).click();
    await sees(change.getByText(/on oltava eri kuin vanha/)); // nothing was sent
    await change.getByLabel('Uusi salasana', { exact: true }).fill('seitsemän harmaata kiveä');
    await change.getByLabel('Uusi salasana uudelleen').fill('seitsemän harmaata kiveä');
    await change.getByRole('button', { name: 'Vaihda salasana' }).click();
    await disappears(change);
    await theMailTo(account.email, 'Salasanasi vaihdettiin');
  },
);

phone('a passkey is added on a phone, in English, and opens the account alone', async ({ page }) => {
  const account = newAccount('sofia');
  await addAuthenticator(page);
  await asNew(page, account);
  await page.goto(`/en${securityPage}`);
  await sees(page.getByText('Your account is protected by a password alone.'));
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add a passkey' }).tap();
  const add = page.getByRole('dialog', { name: 'Add a passkey' });
  await add.getByLabel('A name that you know it by').fill('My phone');
  await expectAccessible(page);
  await add.getByRole('button', { name: 'Continue' }).tap();
  const confirming = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirming.getByLabel('Password', { exact: true }).fill(account.password);
  await confirming.getByRole('button', { name: 'Confirm', exact: true }).tap();
  const codes = page.getByRole('dialog', { name: 'Your backup codes' });
  await sees(codes);
  await expectAccessible(page);
  await codes.getByRole('button', { name: 'I have saved the codes' }).tap();
  await disappears(codes);
  await sees(page.getByText('My phone'));
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: /, Menu$/ }).tap();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Sign out' }).tap();
  await sees(page.getByText('Sign in to see how your account is protected.'));
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in with a passkey' }).tap();
  await sees(page.getByText(/^Added .*, used today$/));
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Remove: My phone' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).tap();
  await sees(page.getByText('Your account is protected by a password alone.'));
});

desktop('the keyboard alone signs in with a passkey as the second step', async ({ page }) => {
  const account = newAccount('kerttu');
  await addAuthenticator(page);
  await begin(page, account);
  await pressOn(page, 'Lisää pääsyavain');
  await sees(dialog(page, 'Lisää pääsyavain'));
  await pressOn(page, 'Jatka');
  await sees(dialog(page, 'Vahvista, että se olet sinä'));
  await typeInto(page, 'Salasana', account.password);
  await page.keyboard.press('Enter');
  await sees(dialog(page, 'Varakoodisi'));
  await pressOn(page, 'Koodit ovat tallessa');
  await disappears(dialog(page, 'Varakoodisi'));

  await page.goto('/');
  await pressSignOut(page);
  await sees(page.getByText('Olet kirjautunut ulos'));
  await pressOn(page, 'Kirjaudu');
  await sees(dialog(page, 'Kirjaudu sisään'));
  await typeInto(page, 'Sähköposti', account.email);
  await typeInto(page, 'Salasana', account.password);
  await page.keyboard.press('Enter');
  await sees(dialog(page, 'Vielä toinen vaihe'));
  await tabTo(page, 'Käytä pääsyavainta');
  await page.keyboard.press('Enter');
  await disappears(dialog(page, 'Vielä toinen vaihe'));
  await sees(page.getByRole('banner').getByText(account.first));
});

desktop('another device is signed out from the list', async ({ page, errors, another }) => {
  const account = newAccount('reino');
  await begin(page, account);
  const elsewhere = await another();
  await as(elsewhere, account);
  await elsewhere.goto('/');
  await sees(elsewhere.getByRole('banner').getByText(account.first));
  await page.reload();
  await sees(page.getByText('Tämä laite'));
  await page.getByRole('button', { name: /^Kirjaa ulos: / }).click();
  await sees(page.getByText('Laite on kirjattu ulos'));
  errors.expect(/\/users\/me\//, 401);
  await elsewhere.goto(securityPage);
  await sees(elsewhere.getByRole('main').getByRole('button', { name: 'Kirjaudu' }));
});

desktop('staff sign in with the code that the sandbox shows', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }).click();
  const form = dialog(page, 'Kirjaudu sisään');
  await form.getByLabel('Sähköposti').fill(editor.email);
  await form.getByLabel('Salasana', { exact: true }).fill(editor.password);
  await form.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
  await typeCode(page, editor.secret);
  await sees((await openMenu(page)).getByRole('menuitem', { name: /^Tarkistettavana/ }));
});
