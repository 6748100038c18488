import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { openOnFirstDay } from './creating';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { cards, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { newAddress } from './mailbox';
import { platform } from './platform';
import { cardsB, fillCardB, fillOrder } from './providerB';
import { asOperator, asStaff, callAs } from './session';
import { confirmIdentity, type NewAccount } from './signing';

// No other journey pays to it.
const slug = 'tavarapyora-taloyhtiolle';

async function control(path: string) {
  const answer = await fetch(platform().control + path, { method: 'POST' });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

/** Says why in the dialog that is open, and shows once more who it is where that is asked. */
async function act(page: Page, button: string | RegExp, account?: NewAccount, language: 'fi' | 'en' = 'fi') {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Selitys|Note/).fill('Katsottu maksupalvelun sivuilta.');
  await dialog.getByRole('button', { name: button }).click();
  if (account) await confirmIdentity(page, account, language);
  await disappears(dialog);
}

desktop(
  'an operator finds a payment, mends what does not add up, and two others approve a run of 5,100 €',
  async ({ page, another, errors }) => {
    errors.expect(/\/admin\/money\/.*(mended|approval)$/, 403); // who it is has not been shown lately
    const { previews } = await ask<{ previews: { campaign_id: number; slug: string }[] }>(
      '/content/v2/campaigns/preview/fi/?limit=300&stages=1',
    );
    await openOnFirstDay(previews.find((one) => one.slug === slug)?.campaign_id ?? 0);
    let campaign = { id: 0, slug, title: '', address: '' };
    await eventually(
      async () => (campaign = await demoCampaign(slug).catch(() => campaign)).id,
      (id) => expect(id).toBeGreaterThan(0),
    );
    await control(`/campaigns/${campaign.id}/account-b`);
    const backer = await another();
    const made = backer.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/pledges/'),
    );
    const email = await fillOrder(backer, fi, campaign.address, '5100');
    await fillCardB(backer, cardsB.good);
    await pressPay(backer, fi);
    await seesThanks(backer, fi);
    const { pledge } = (await (await made).json()) as { pledge: { pledge_id: string } };
    await control(`/pledges/${pledge.pledge_id}/anomaly`);

    // By the mail address, which is in no address of a page.
    const saara = await asOperator(page, 'Saara Niemi');
    await page.goto('/admin/money/');
    await sees(page.getByText('Toimit nimellä Saara Niemi.'));
    await page.getByRole('searchbox', { name: /^Maksu, tuki/ }).fill(email);
    await page.getByRole('searchbox', { name: /^Maksu, tuki/ }).press('Enter');
    const row = page.getByRole('row').filter({ hasText: campaign.title });
    await sees(row.getByText('Tallessa'));
    expect(page.url()).not.toContain('@');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await row.getByRole('link').click();
    await isAt(page, /^\/admin\/money\/payments\//);
    await sees(page.getByRole('heading', { name: 'Kirjanpito' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // What does not add up is mended by one press, with a note and a fresh proof.
    await page.getByRole('link', { name: 'Maksu ei pääty' }).click();
    await isAt(page, /^\/admin\/money\/anomalies\//);
    await sees(page.getByRole('heading', { name: 'Mitä tehdä' }));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Merkitse selvitetyksi' }).click();
    await act(page, 'Merkitse selvitetyksi', saara);
    await sees(page.getByText(/Saara Niemi selvitti/));

    // Whoever proposes does not approve; two others do.
    await control(`/campaigns/${campaign.id}/ended`);
    await page.goto('/admin/money/runs/');
    await page.getByRole('button', { name: 'Ehdota tilitystä' }).click();
    await page.getByLabel('Kampanjan numero').fill(String(campaign.id));
    await act(page, 'Ehdota tilitystä');
    const proposed = page
      .getByRole('row')
      .filter({ hasText: campaign.title })
      .filter({ hasText: 'Odottaa hyväksyntää' });
    await sees(proposed);
    await expectAccessible(page);
    await proposed.getByRole('link').click();
    await sees(page.getByText('Ehdotit tämän, joten painiketta ei ole.'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const run = new URL(page.url()).pathname;
    for (const [name, language] of [
      ['Ilkka Mäkelä', 'fi'],
      ['Outi Berg', 'en'],
    ] as const) {
      const other = await another();
      const account = await asOperator(other, name);
      await other.goto(language === 'fi' ? run : `/en${run}`);
      await other.getByRole('button', { name: language === 'fi' ? /^Hyväksy / : /^Approve / }).click();
      await act(other, language === 'fi' ? /^Hyväksy / : /^Approve /, account, language);
      if (language === 'fi') await sees(other.getByText('Olet hyväksynyt tämän.'));
    }
    await eventually(
      async () => {
        await page.reload();
        return page.getByText('Ilkka Mäkelä').count();
      },
      (shown) => expect(shown).toBeGreaterThan(0),
    );
    await disappears(page.getByText('Odottaa hyväksyntää'));
  },
);

desktop(
  'an operator answers a bank that disputes a charge, with what is known filled in',
  async ({ page, another, errors }) => {
    errors.expect(/\/disputes\/\d+\/evidence$/, 403); // who it is has not been shown lately
    const { address } = await demoCampaign('kurkipelto-takaisin');
    const backer = await another();
    const email = newAddress('riitelija');
    await backer.goto(`${address}pledge/`);
    await fillSum(backer, fi, '31');
    await fillContact(backer, fi, { email, first: 'Riitta', last: 'Riitelijä' });
    await fillCard(backer, cards.disputed);
    await pressPay(backer, fi);
    await seesThanks(backer, fi);

    const saara = await asOperator(page, 'Saara Niemi');
    await page.goto('/admin/money/');
    await page.getByRole('searchbox', { name: /^Maksu, tuki/ }).fill(email);
    await page.getByRole('searchbox', { name: /^Maksu, tuki/ }).press('Enter');
    await page.getByRole('row').filter({ hasText: '31,00' }).getByRole('link').click();
    await isAt(page, /^\/admin\/money\/payments\//);
    await sees(page.getByRole('heading', { name: 'Kirjanpito' }));
    const payment = new URL(page.url()).pathname.split('/').at(-2) ?? '';
    await eventually(
      () => callAs<{ disputes: unknown[] }>(page, `/payments/api/admin/money/payments/${payment}`),
      ({ disputes }) => expect(disputes).toHaveLength(1),
    );
    await page.reload();
    const box = page.getByRole('region', { name: /^Riita, 31,00/ });
    await sees(box);
    await expect(box).toHaveCount(1);
    await box.getByRole('button', { name: 'Kirjoita vastaus' }).click();
    await expect(box.getByLabel(/^Maksajan nimi/)).toHaveValue('Riitta Riitelijä');
    await expect(box.getByLabel(/^Mitä tapahtui/)).toHaveValue(/paid with Visa .*4?0259/);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await box.getByLabel(/^Selitys/).fill('Lähetyskuitti on tekijältä.');
    await box.getByRole('button', { name: 'Lähetä pankille' }).click();
    await confirmIdentity(page, saara, 'fi');
    await sees(box.getByText(/^Saara Niemi vastasi/));
    await sees(page.getByText('Pankille vastattiin'));
    await expectAccessible(page);
  },
);

phone('on a phone staff who are no operators look, and press nothing', async ({ page }) => {
  await asStaff(page);
  await page.goto('/sv/admin/money/');
  await sees(page.getByText('Bara att titta:'));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto('/sv/admin/money/switches/');
  await sees(page.getByRole('button', { name: /^Stäng av: Tjänst A/ }));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
