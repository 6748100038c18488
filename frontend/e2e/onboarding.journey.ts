import { expect } from '@playwright/test';
import { eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { phone, type Visitor } from './journey';
import { platform } from './platform';
import { asNew, confirmAddress } from './session';
import { confirmIdentity, newAccount } from './signing';

type Page = Visitor['page'];

const account = (page: Page) => page.getByRole('region', { name: 'Maksutilisi' });
const goOn = (page: Page) => account(page).getByRole('button', { name: 'Jatka' });

/** Chooses how provider A's page ends, and comes back to the payouts. */
async function endsWith(page: Page, outcome: string) {
  await page.waitForURL(`${platform().sandbox}/setup/e/**`);
  await page.locator(`button[value="${outcome}"]`).click();
  await page.waitForURL(/\/profile\/me\/payouts\//);
}

phone(
  'a creator opens an account at provider A: left half done, by an old link, with a paper due, and ready',
  async ({ page, errors }) => {
    const creator = newAccount('aile');
    await asNew(page, creator);
    await page.goto('/');
    await confirmAddress(page, creator);
    await page.goto('/profile/me/payouts/');

    const form = page.getByRole('form', { name: 'Kenelle maksetaan?' });
    await sees(form);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await form.getByRole('radio', { name: 'Yhdistys tai osuuskunta' }).check({ force: true });
    await form.getByRole('button', { name: 'Jatka maksupalveluun' }).click();

    // Left half done: what is missing is told in words, and the address of the page is used up.
    await page.waitForURL(`${platform().sandbox}/setup/e/**`);
    await expectAccessible(page);
    const used = page.url();
    await endsWith(page, 'leave');
    await sees(account(page).getByText('Aloitettu'));
    await sees(account(page).getByText('Rekisterin tiedot'));
    await sees(goOn(page));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // The old address leads to ours, which leads to a new one.
    await page.goto(used);
    await page.waitForURL(`${platform().sandbox}/setup/e/**`);
    expect(page.url()).not.toBe(used);
    await endsWith(page, 'later');
    await isAt(page, /\/profile\/me\/payouts\//);
    await sees(account(page).getByText('Tilille voi maksaa'));
    await sees(account(page).getByText(/Viimeistään \d/));
    await expectAccessible(page);

    await goOn(page).click();
    await endsWith(page, 'complete');
    await eventually(
      async () => account(page).getByRole('listitem').count(),
      (rows) => expect(rows).toBe(0),
    );
    await sees(page.getByText('Sinulle voi maksaa.'));

    // The bank account that was given there is the one that money goes to.
    const bank = page.getByRole('region', { name: 'Pankkitilisi maksupalvelussa' });
    await sees(bank.getByText('DE ···· 3000'));
    await sees(bank.getByRole('button', { name: 'Vaihda tili maksupalvelussa' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    // What the law asks for: a wrong sign is said at once, who it is has to be shown, and the number is shown by its end from then on.
    const tax = page.getByRole('region', { name: 'Tiedot verottajaa varten' });
    await sees(tax.getByText(/^Vielä puuttuu: nimi, syntymäaika, osoite ja verotunniste/));
    await tax.getByRole('button', { name: 'Anna tiedot' }).click();
    await tax.getByLabel('Syntymäaika').fill('1952-10-13');
    await tax.getByLabel('Katuosoite').fill('Hämeentie 1');
    await tax.getByLabel('Postinumero').fill('00500');
    await tax.getByLabel('Postitoimipaikka').fill('Helsinki');
    await tax.getByLabel('Henkilötunnus').fill('131052-308U');
    await tax.getByLabel('Postitoimipaikka').focus();
    await sees(tax.getByText('Tarkista numero. Jokin merkki on väärin.'));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await tax.getByLabel('Henkilötunnus').fill(' 131052–308t');
    errors.expect(/\/tax-data$/, 403); // who it is has not been shown lately
    await tax.getByRole('button', { name: 'Tallenna tiedot' }).click();
    await confirmIdentity(page, creator);
    await sees(tax.getByText('Verotunniste: Suomi, loppu 08T'));
    await expectAccessible(page);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(kept).not.toContain('131052');
  },
);
