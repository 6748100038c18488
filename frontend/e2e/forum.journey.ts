import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { backer } from './demo';
import { desktop, phone } from './journey';
import { pressOn, tabTo } from './keys';
import { platform } from './platform';
import { as, newStaff } from './session';
import { newAccount, signUp } from './signing';

// The forum of the sandbox, whose members log in with their account here.

const forum = () => `${platform().sandbox}/forum/`;
const loggedInAs = (page: Page, name: string) => page.getByText(`You are logged in as ${name}`);

/** What the forum shows of a member, such as their groups. */
const detail = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('xpath=following-sibling::dd[1]');

/** Remembers the forum's requests as the browser brings them here. */
function watchRequests(page: Page): string[] {
  const links: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/forum/sso/?')) links.push(request.url());
  });
  return links;
}

for (const [screen, options] of [
  ['a phone', phone],
  ['a desktop', desktop],
] as const) {
  options(
    `on ${screen} a member signs in here, is logged in at the forum, and Back does not log in again`,
    async ({ page, errors }) => {
      const links = watchRequests(page);
      await page.goto(forum());
      await page.getByRole('link', { name: 'Log in with Talkoot' }).click();
      const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
      await sees(dialog.getByText('Niin pääset foorumille.'));
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await disappears(dialog);
      await sees(page.getByRole('heading', { level: 1, name: 'Kirjaudu foorumille' }));
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);

      await page.getByRole('main').getByRole('button', { name: 'Kirjaudu sisään' }).click();
      await dialog.getByLabel('Sähköposti').fill(backer.email);
      await dialog.getByLabel('Salasana', { exact: true }).fill(backer.password);
      await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
      await sees(loggedInAs(page, backer.name));
      expect(page.url()).toBe(forum());
      expect(await detail(page, 'Email').textContent()).toBe(backer.email);
      expect(await detail(page, 'Groups').textContent()).toBe('none');
      expect(await detail(page, 'Admin').textContent()).toBe('no');
      await expectAccessible(page);

      await page.goBack();
      expect(page.url()).toBe(forum());
      expect(links).toHaveLength(1);

      // The same request again, as from the browser's history or from somebody who has seen the address.
      errors.expect(/\/users\/sso\/discourse\//, 410);
      await page.goto(links[0] ?? '');
      await sees(page.getByRole('alert').getByText('Foorumin kirjautumislinkki on jo käytetty.'));
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Etusivulle', exact: true }).click();
      await isAt(page, '/');
    },
  );
}

desktop('with the keyboard alone in English, and out again', async ({ page }) => {
  await page.goto(`${forum()}?language=en`);
  await pressOn(page, 'Log in with Talkoot');
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await sees(dialog);
  await tabTo(page, 'Email');
  await page.keyboard.insertText(backer.email);
  await tabTo(page, 'Password');
  await page.keyboard.insertText(backer.password);
  await page.keyboard.press('Enter');
  await sees(loggedInAs(page, backer.name));
  await pressOn(page, 'Log out of the forum');
  await sees(page.getByText('You are not logged in.'));

  // Who is signed in here goes through without a press.
  await pressOn(page, 'Log in with Talkoot');
  await sees(loggedInAs(page, backer.name));
});

desktop(
  'staff who have signed in with both steps have their rights at the forum',
  async ({ page, request }) => {
    await as(page, await newStaff(request));
    await page.goto(forum());
    await page.getByRole('link', { name: 'Log in with Talkoot' }).click();
    await sees(page.getByText('You are logged in as'));
    expect(await detail(page, 'Groups').textContent()).toBe('talkoot_editors, talkoot_admins');
    expect(await detail(page, 'Admin').textContent()).toBe('yes');
    expect(await detail(page, 'Moderator').textContent()).toBe('yes');
  },
);

desktop(
  'forged requests are refused, and so is what another browser began',
  async ({ page, errors, another }) => {
    const links = watchRequests(page);
    await as(page, backer);
    await page.route('**/users/sso/discourse/', (route) => route.abort());
    errors.expectLost(/\/users\/sso\/discourse\//);
    await page.goto(`${forum()}session/sso?language=en`);
    await sees(page.getByRole('button', { name: 'Try again' }));
    const link = new URL(links[0] ?? '');
    await page.unroute('**/users/sso/discourse/');

    errors.expect(/\/users\/sso\/discourse\//, 400);
    for (const [name, value] of [
      ['sig', '0'.repeat(64)],
      ['sso', Buffer.from('nonce=x&return_sso_url=https%3A%2F%2Fevil.example%2F').toString('base64')],
    ] as const) {
      const forged = new URL(link);
      forged.searchParams.set(name, value);
      await page.goto(forged.href);
      await sees(page.getByRole('alert').getByText(/log-in link is not valid/));
      await expectAccessible(page);
      expect(new URL(page.url()).origin).toBe(platform().web);
    }

    // Somebody is sent the request that another browser began: the forum does not log them in.
    const victim = await another();
    await as(victim, backer);
    errors.expect(/\/forum\/session\/sso_login/, 403);
    await victim.goto(link.href);
    await sees(victim.getByRole('alert').getByText(/began in another browser/));
  },
);

desktop('an unconfirmed address is not told to the forum', async ({ page, errors }) => {
  const links = watchRequests(page);
  await page.goto(forum());
  await page.getByRole('link', { name: 'Log in with Talkoot' }).click();
  errors.expect(/\/users\/sso\/discourse\//, 403);
  const account = newAccount('tuuli');
  await signUp(page, account);
  await sees(page.getByRole('alert').getByText('Vahvista ensin oma sähköpostiosoitteesi'));
  await expectAccessible(page);

  const confirming = await page.context().newPage();
  await confirming.goto(await confirmation(account.email));
  await confirming.getByRole('button', { name: 'Vahvista osoite' }).click();
  await sees(confirming.getByText(/Osoite on vahvistettu/));
  await confirming.close();
  await page.getByRole('button', { name: 'Olen vahvistanut osoitteen' }).click();
  await sees(loggedInAs(page, `${account.first} ${account.last}`));
  expect(links).toHaveLength(1);
});

/** The link in the mail that confirms an address. */
async function confirmation(email: string): Promise<string> {
  let link: string | undefined;
  await eventually(
    async () => {
      const response = await fetch(`${platform().mail}/api/messages?to=${encodeURIComponent(email)}`);
      const { messages } = (await response.json()) as { messages: { text: string }[] };
      link = messages.map(({ text }) => /\S*\/verify-email\/#token=\S+/.exec(text)?.[0]).find(Boolean);
    },
    () => expect(link).toBeDefined(),
  );
  return link ?? '';
}
