import { expectAccessible, isAt, disappears, sees } from './checks';
import { backer, demoCampaign } from './demo';
import { desktop, journey, phone } from './journey';
import { signIn } from './signing';

const twelveHours = 12 * 60 * 60 * 1000;

journey(
  'liking without an account asks to sign in, and the like is sent afterwards',
  desktop,
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
    await dialog.getByRole('button', { name: 'Kirjaudu', exact: true }).click();
    await disappears(dialog);
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: true }));
    await page.reload();
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: true }));
    await like.click();
    await sees(page.getByRole('button', { name: /^Tykkää/, pressed: false }));
  },
);

journey('signing out ends the session', desktop, async ({ page, context }) => {
  await page.goto('/');
  await signIn(page, backer);
  await sees(page.getByRole('banner').getByText(backer.name));
  const token = await storedToken(page);

  await page.getByRole('banner').getByRole('button', { name: 'Kirjaudu ulos' }).press('Enter');
  await sees(page.getByText('Olet kirjautunut ulos'));
  await sees(page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
  expect(await page.evaluate(() => localStorage.getItem('tk-session'))).toBeNull();
  const after = await context.request.get('/content/users/me/profile', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(after.status()).toBe(401);
});

journey('a session ends after 12 hours, while the page is open', desktop, async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await signIn(page, backer);
  await sees(page.getByRole('button', { name: 'Kirjaudu ulos' }));
  await page.clock.fastForward(twelveHours);
  await sees(page.getByRole('banner').getByRole('button', { name: 'Kirjaudu', exact: true }));
});

journey('an account can be created on a phone', phone, async ({ page }) => {
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

type Page = Parameters<Parameters<typeof journey>[2]>[0]['page'];

async function storedToken(page: Page): Promise<string> {
  const text = await page.evaluate(() => localStorage.getItem('tk-session'));
  return (JSON.parse(text ?? '{}') as { token: { string: string } }).token.string;
}
