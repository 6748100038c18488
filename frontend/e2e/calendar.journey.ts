import { expect, type Page } from '@playwright/test';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { openSupport, passToNextMonth } from './monthly';
import { cards, en, fi, fillCard, pressPay } from './paying';
import { openQuietly } from './quiet';
import { asNew } from './session';
import { confirmIdentity, newAccount, signUp } from './signing';

const calendar = '/profile/me/calendar/';

/** Reads the calendar until it has what is looked for: it hears of a charge a moment after it. */
const readUntil = (page: Page, address: string, isThere: () => Promise<boolean>) =>
  eventually(
    async () => {
      await openQuietly(page, address);
      return isThere();
    },
    (found) => expect(found).toBe(true),
    60_000,
  );

desktop(
  'a limit is set and is a line over the bars, a level above it is asked about, and the feed is turned on and off',
  async ({ page, errors }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    await page.goto(calendar);
    await page.getByRole('main').getByRole('button', { name: 'Kirjaudu' }).click();
    const account = newAccount('katto');
    await signUp(page, account);
    await sees(page.getByText('Kalenterissa ei ole veloituksia'));
    await page.goto(`${campaign.address}pledge/18`);
    await fillCard(page, cards.good);
    await pressPay(page, fi);
    await sees(page.getByRole('heading', { level: 1, name: /saa sinulta 18\s€ kuukaudessa/ }));
    const subscription = await openSupport(page, 'Hallitse tukeasi');

    const months = page.getByRole('region', { name: 'Kuukausi kuukaudelta' });
    await readUntil(page, calendar, () => months.isVisible());
    await expectAccessible(page);
    const limit = page.getByRole('region', { name: 'Kuukauden katto' });
    await limit.getByLabel('Enintään kuussa').fill('20');
    await page.keyboard.press('Enter');
    await sees(limit.getByText(/^Kattosi on nyt 20,00\s€ kuussa$/));
    await sees(months.getByText(/^Kattosi 20\s€ kuussa$/));
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Tilaa kalenteriisi' }).click();
    const feed = page.getByRole('region', { name: 'Omaan kalenteriin' });
    await feed.getByRole('button', { name: 'Luo kalenterilinkki' }).click();
    const address = feed.getByLabel('Syötteen osoite');
    await sees(address);
    const first = await address.inputValue();
    await feed.getByRole('button', { name: 'Vaihda osoite' }).click();
    await sees(feed.getByText('Syötteellä on uusi osoite. Entinen ei enää toimi.'));
    await eventually(
      () => address.inputValue(),
      (renewed) => expect(renewed).not.toBe(first),
    );
    await expectAccessible(page);
    await feed.getByRole('button', { name: 'Poista käytöstä' }).click();
    await sees(feed.getByText('Syöte ei ole käytössä'));
    await disappears(address);

    errors.expect(/\/modify-level$/, 409);
    await page.goto(`/subscriptions/${subscription}/`);
    const levels = page.getByRole('group', { name: 'Tukesi kuukaudessa' });
    await levels.getByRole('radio', { name: /Oma summa/ }).check();
    await page.getByLabel('Summa kuukaudessa').fill('24,50');
    await page.getByRole('button', { name: /^Muuta: 24,50/ }).click();
    const over = page.getByRole('region', { name: /lähtisi 24,50/ });
    await sees(over);
    await expectAccessible(page);
    await over.getByRole('button', { name: 'Valitse toinen summa' }).click();
    await disappears(over);
    await page.getByRole('button', { name: /^Muuta: 24,50/ }).click();
    errors.expect(/\/spending-limits\/EUR\/$/, 403); // who it is has not been shown lately
    await over.getByRole('button', { name: /^Nosta katto: 25\s€$/ }).click();
    await confirmIdentity(page, account);
    await disappears(over);
    await sees(page.getByRole('region', { name: 'Seuraava veloitus' }).getByText(/alkaen 24,50/));
    await page.goto(calendar);
    await sees(months.getByText(/^Kattosi 25\s€ kuussa$/));
    await expectAccessible(page);
  },
);

phone(
  'on a phone, in English: a month above a lowered limit waits, nothing is charged, and it is left out',
  async ({ page, errors }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const account = newAccount('limit');
    await asNew(page, account);
    await page.goto(`/en${campaign.address}pledge/15`);
    await fillCard(page, cards.good);
    await pressPay(page, en);
    await sees(page.getByRole('heading', { level: 1, name: /gets €15 a month from you/ }));
    const subscription = await openSupport(page, 'Manage your support');

    const limit = page.getByRole('region', { name: 'Monthly limit' });
    await page.goto(`/en${calendar}`);
    await limit.getByLabel('At most per month').fill('10');
    await limit.getByRole('button', { name: 'Save the limit' }).click();
    await sees(limit.getByText('Your limit is now €10.00 a month'));

    await passToNextMonth(subscription);
    const held = page.getByRole('region', { name: /€15\.00 waits for your answer$/ });
    await readUntil(page, `/en${calendar}`, () => held.isVisible());
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto(`/en/subscriptions/${subscription}/`);
    await sees(held);
    await sees(page.getByText(/1 charge, €15\.00 in all/));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await held.getByRole('button', { name: /^Skip / }).click();
    await disappears(held);
    await readUntil(page, `/en${calendar}`, async () => !(await held.isVisible()));
    await limit.getByRole('button', { name: 'Remove the limit' }).click();
    errors.expect(/\/spending-limits\/EUR\/$/, 403);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the limit' }).click();
    await confirmIdentity(page, account, 'en');
    await sees(limit.getByText('You have no limit any more'));
  },
);
