import { expect, type Page } from '@playwright/test';
import { disappears, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { backer, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { as } from './session';
import { pressSignOut, signIn } from './signing';

const twelveHours = 12 * 60 * 60 * 1000;

desktop(
  'liking without an account asks to sign in, and the like is sent afterwards',
  async ({ page, errors }) => {
    const { address } = await demoCampaign('kurkipelto-takaisin');
    await page.goto(address);
    const like = page.getByRole('button', { name: /^Tykkää/ });
    await like.click();

    const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
    await sees(dialog.getByText('Niin tykkäyksesi jää muistiin.'));
    await expectAccessible(page);

    errors.expect(/\/users\/tokens\//, 401);
    await dialog.getByLabel('Sähköposti').fill(backer.email);
    await dialog.getByLabel('Salasana', { exact: true }).fill('ei tämä');
    await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await sees(dialog.getByText(/Sähköposti tai salasana ei täsmää\. Mitään ei hävinnyt/));
    expect(await dialog.getByLabel('Sähköposti').inputValue()).toBe(backer.email);
    await expectAccessible(page);

    await dialog.getByLabel('Salasana', { exact: true }).fill(backer.password);
    const stored = page.waitForResponse((answer) => answer.url().endsWith('/likes/') && answer.ok());
    await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await disappears(dialog);
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: true }));
    await stored; // The button is pressed before that, and a reload would take the request back.
    await page.reload();
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: true }));
    await like.click();
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: false }));
  },
);

desktop('signing out ends the session', async ({ page, context }) => {
  await as(page, backer);
  await page.goto('/');
  await sees(page.getByRole('banner').getByText(backer.name));
  const token = await storedToken(page);

  await pressSignOut(page);
  await sees(page.getByText('Olet kirjautunut ulos'));
  await sees(page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
  expect(await page.evaluate(() => localStorage.getItem('tk-session'))).toBeNull();
  const after = await context.request.get('/content/users/me/profile', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(after.status()).toBe(401);
});

desktop('signing out in one tab signs out in the other', async ({ page, context }) => {
  await as(page, backer);
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/campaigns/');
  await sees(other.getByRole('banner').getByText(backer.name));
  await pressSignOut(page);
  await sees(other.getByText('Olet kirjautunut ulos'));
  await sees(other.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
});

desktop(
  'a session ends after 12 hours over a half-written form, which waits until one is back',
  async ({ page }) => {
    await page.clock.install();
    await as(page, backer);
    await page.goto('/profile/me/');
    const introduction = page.getByLabel('Esittely');
    const before = await introduction.inputValue();
    await introduction.fill(`${before} Ja vielä.`);
    await page.clock.fastForward(twelveHours);
    await sees(page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
    await sees(page.getByText('Istuntosi on päättynyt'));
    expect(await page.evaluate(() => localStorage.getItem('tk-session'))).toBeNull();
    expect(await introduction.inputValue()).toBe(`${before} Ja vielä.`);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await page.getByRole('button', { name: 'Kirjaudu uudelleen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Kirjaudu sisään' });
    await dialog.getByLabel('Sähköposti').fill(backer.email);
    await dialog.getByLabel('Salasana', { exact: true }).fill(backer.password);
    await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await disappears(dialog);
    expect(await introduction.inputValue()).toBe(`${before} Ja vielä.`);

    await pressSignOut(page);
    await sees(page.getByRole('dialog', { name: 'Kirjaudutaanko ulos?' }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pysy kirjautuneena' }).click();
    await introduction.fill(before);
    await disappears(page.getByRole('button', { name: 'Tallenna muutokset' }));
  },
);

phone('whoever comes back to an expired session is told so, in their language', async ({ page }) => {
  await page.goto('/');
  await signIn(page, backer);
  await page.evaluate((age) => {
    const session = JSON.parse(localStorage.getItem('tk-session') ?? '{}') as {
      token: { timestamp: number };
    };
    session.token.timestamp -= age;
    localStorage.setItem('tk-session', JSON.stringify(session));
  }, twelveHours);
  await page.goto('/en/campaigns/');
  await sees(page.getByText('Your session has ended'));
  expect(await page.evaluate(() => localStorage.getItem('tk-session'))).toBeNull();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Close' }).tap();
  await disappears(page.getByText('Your session has ended'));
});

phone('a link opens a dialog by its name; Escape and the back button close it', async ({ page }) => {
  await page.goto('/en/info/money/#sign-up');
  await sees(page.getByRole('dialog', { name: 'Create an account' }));
  await page.keyboard.press('Escape');
  await disappears(page.getByRole('dialog'));
  expect(new URL(page.url()).hash).toBe('');

  await page.setViewportSize({ width: 1440, height: 900 });
  const opener = page.getByRole('banner').getByRole('button', { name: 'Sign in' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await sees(page.getByRole('dialog', { name: 'Sign in' }));
  expect(new URL(page.url()).hash).toBe('#sign-in');
  await page.goBack();
  await disappears(page.getByRole('dialog'));
  await isAt(page, '/en/info/money/');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Sign in');
});

desktop(
  'the sign-in page works with the keyboard alone, and leads on to where its link says',
  async ({ page }) => {
    await page.goto('/sign-in/?next=%2Fcampaigns%2F%3Fkeyword%3Dsauna');
    await sees(page.getByRole('heading', { level: 1, name: 'Kirjaudu sisään' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const email = page.getByRole('main').getByLabel('Sähköposti');
    await email.focus();
    await page.keyboard.type(backer.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(backer.password);
    await page.keyboard.press('Enter');
    await isAt(page, '/campaigns/?keyword=sauna');
    await sees(page.getByRole('banner').getByText(backer.name));
  },
);

phone('people are in the main menu', async ({ page }) => {
  await page.goto('/en/');
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Creators' }).tap();
  await isAt(page, '/en/profiles/');
});

phone('an account can be created on a phone', async ({ page }) => {
  await page.goto('/en/');
  await page.getByRole('button', { name: 'Menu' }).tap();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await sees(menu);
  await expectAccessible(page);
  await menu.getByRole('button', { name: 'Sign in' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByRole('button', { name: 'Create an account' }).tap();
  const form = page.getByRole('dialog', { name: 'Create an account' });
  await sees(form);
  await expectAccessible(page);
  await form.getByLabel('First name').fill('Sofia');
  await form.getByLabel('Last name').fill('Backström');
  await form.getByLabel('Email').fill(`sofia.${Date.now()}@posti.example`);
  await form.getByLabel('Password', { exact: true }).fill('long enough');
  await form.getByLabel('Password again').fill('long enough');
  await form.getByRole('button', { name: 'Create an account' }).tap();
  await sees(page.getByText('Your account is ready and you are signed in'));
  await isAt(page, '/en/');
});

async function storedToken(page: Page): Promise<string> {
  const text = await page.evaluate(() => localStorage.getItem('tk-session'));
  return (JSON.parse(text ?? '{}') as { token: { string: string } }).token.string;
}
