import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop } from './journey';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { newAddress } from './mailbox';
import { asOperator } from './session';
import { confirmIdentity } from './signing';

/** Pledges a sum with a card whose holder reports the charge as fraud. */
async function payReported(page: Page, address: string, sum: string) {
  await page.goto(`${address}pledge/`);
  await fillSum(page, fi, sum);
  await fillContact(page, fi, { email: newAddress('varoitus'), first: 'Ville', last: 'Varas' });
  await fillCard(page, cards.reported);
  await pressPay(page, fi);
  await seesThanks(page, fi);
}

/** What waits on the desk's first page about a charge of a sum. */
const waiting = (page: Page, sum: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(new RegExp(`^${sum},00`)) });

desktop(
  'an operator refunds one charge that was reported as fraud, and leaves another as it is',
  async ({ page, another, errors }) => {
    errors.expect(/\/warnings\/\d+\/refund$/, 403); // who it is has not been shown lately
    const { address } = await demoCampaign('kurkipelto-takaisin');
    const [one, two] = [await another(), await another()];
    const [, , saara] = await Promise.all([
      payReported(one, address, '37'),
      payReported(two, address, '38'),
      asOperator(page, 'Saara Niemi'),
    ]);
    await eventually(
      async () => {
        await page.goto('/admin/money/');
        await page.getByRole('heading', { name: 'Ilmoitettu väärinkäytöksi' }).waitFor();
        return (await waiting(page, '37').count()) + (await waiting(page, '38').count());
      },
      (shown) => expect(shown).toBe(2),
    );
    await expectAccessible(page);

    await waiting(page, '37').getByRole('link').click();
    await isAt(page, /^\/admin\/money\/payments\//);
    const refunded = page.getByRole('region', { name: /^Ilmoitettu väärinkäytöksi, 37,00/ });
    await sees(refunded.getByText('Ville Varas'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await refunded.getByRole('button', { name: /^Palauta 37,00/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Selitys/).fill('Kortinhaltija on tehnyt ilmoituksen.');
    await dialog.getByRole('button', { name: 'Palauta kaikki' }).click();
    await confirmIdentity(page, saara, 'fi');
    await disappears(dialog);
    await sees(refunded.getByText('Kaikki on palautettu tai matkalla.'));
    await expect(refunded.getByRole('button')).toHaveCount(0);
    await sees(page.getByText('Kortinhaltija on tehnyt ilmoituksen.'));

    await page.goto('/admin/money/');
    await waiting(page, '38').getByRole('link').click();
    const left = page.getByRole('region', { name: /^Ilmoitettu väärinkäytöksi, 38,00/ });
    await left.getByRole('button', { name: 'Jätä ennalleen' }).click();
    await dialog.getByLabel(/^Selitys/).fill('Maksaja vahvisti maksun itse.');
    await dialog.getByRole('button', { name: 'Jätä ennalleen' }).click();
    await disappears(dialog);
    await sees(left.getByText('Veloitus päätettiin jättää ennalleen.'));
    await expectAccessible(page);

    // Neither waits for anybody any more.
    await page.goto('/admin/money/');
    await page.getByRole('heading', { name: 'Ilmoitettu väärinkäytöksi' }).waitFor();
    await disappears(waiting(page, '37').or(waiting(page, '38')));
  },
);
