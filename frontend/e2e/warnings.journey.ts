import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { cards, fi, fillCard, fillContact, fillSum, paymentsTo, pressPay, seesThanks } from './paying';
import { newAddress } from './mailbox';
import { platform } from './platform';
import { asOperator, callAs } from './session';
import { confirmIdentity } from './signing';

async function pay(page: Page, address: string, sum: string, card: string) {
  await page.goto(`${address}pledge/`);
  await fillSum(page, fi, sum);
  await fillContact(page, fi, { email: newAddress('varoitus'), first: 'Ville', last: 'Varas' });
  await fillCard(page, card);
  await pressPay(page, fi);
  await seesThanks(page, fi);
}

/** The card network warns of a charge at once, and not ten seconds after it. */
async function warnOf(charge: string | null | undefined) {
  const answer = await fetch(`${platform().sandbox}/_control/warnings`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ charge }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Opens a charge from the list of what waits on the desk's first page. */
async function openWarned(page: Page, sum: string) {
  const row = page.getByRole('listitem').filter({ has: page.getByText(new RegExp(`^${sum},00`)) });
  await page.goto('/admin/money/');
  await eventually(
    () => callAs<{ warnings: { amount_minor: number }[] }>(page, '/payments/api/admin/money/overview'),
    ({ warnings }) => expect(warnings.map((one) => one.amount_minor)).toContain(Number(sum) * 100),
  );
  await page.reload();
  await sees(row);
  await expect(row).toHaveCount(1);
  await row.getByRole('link').click();
  await isAt(page, /^\/admin\/money\/payments\//);
  return {
    row,
    box: page.getByRole('region', { name: new RegExp(`^Ilmoitettu väärinkäytöksi, ${sum},00`) }),
  };
}

desktop(
  'an operator leaves one charge that was reported as fraud as it is, and refunds another',
  async ({ page, another, errors }) => {
    errors.expect(/\/warnings\/\d+\/dismissal$/, 403); // who it is has not been shown lately
    const { id, address } = await demoCampaign('kurkipelto-takaisin');
    const [one, two] = [await another(), await another()];
    const [, , saara] = await Promise.all([
      pay(one, address, '37', cards.reported),
      pay(two, address, '38', cards.good),
      asOperator(page, 'Saara Niemi'),
    ]);
    const [charged] = await paymentsTo(id, 38_00);
    await warnOf(charged?.latest_charge);

    const left = await openWarned(page, '38');
    const dialog = page.getByRole('dialog');
    await left.box.getByRole('button', { name: 'Jätä ennalleen' }).click();
    await dialog.getByLabel(/^Selitys/).fill('Maksaja vahvisti maksun itse.');
    await dialog.getByRole('button', { name: 'Jätä ennalleen' }).click();
    await confirmIdentity(page, saara, 'fi');
    await disappears(dialog);
    await sees(left.box.getByText('Veloitus päätettiin jättää ennalleen.'));

    const { row, box } = await openWarned(page, '37');
    await sees(box.getByText('Ville Varas'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await box.getByRole('button', { name: /^Palauta 37,00/ }).click();
    await dialog.getByLabel(/^Selitys/).fill('Kortinhaltija on tehnyt ilmoituksen.');
    await dialog.getByRole('button', { name: 'Palauta kaikki' }).click();
    await disappears(dialog);
    await sees(box.getByText('Kaikki on palautettu tai matkalla.'));
    await expect(box.getByRole('button')).toHaveCount(0);
    await sees(page.getByText('Kortinhaltija on tehnyt ilmoituksen.'));

    // Neither waits for anybody any more.
    await page.goto('/admin/money/');
    await page.getByRole('heading', { name: 'Ilmoitettu väärinkäytöksi' }).waitFor();
    await disappears(row.or(left.row));
    await expectAccessible(page);
  },
);
