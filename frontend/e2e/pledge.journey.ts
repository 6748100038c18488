import { expect } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, isAt, disappears, sees, eventually } from './checks';
import { ask, demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { newAddress, theMailTo } from './mailbox';
import {
  cardFrame,
  cards,
  challenge,
  chargedTo,
  en,
  fi,
  fillCard,
  fillContact,
  fillSum,
  pressPay,
  seesThanks,
} from './paying';

interface Figures {
  campaign: { funding_reached: number; number_of_backers: number };
}
interface Stock {
  rewards: { title: string; reward_id: number; stock_reserved: number }[];
}

desktop(
  'a reward is found, chosen and paid with 3-D Secure and a new account, and is counted and receipted',
  async ({ page }) => {
    const { id, address, title } = await demoCampaign('njuolla-ja-revontulten-nuotit');
    const before = await ask<Figures>(`/content/campaigns/${id}/fi/`);
    const email = newAddress('aino');

    await page.goto('/');
    await sees(page.getByRole('heading', { level: 1 }));
    await expectAccessible(page);

    await page.getByRole('banner').getByRole('link', { name: 'Kampanjat' }).click();
    await isAt(page, '/campaigns/');
    await sees(page.getByRole('heading', { level: 1, name: 'Kampanjat' }));
    await expectAccessible(page);
    await page.getByRole('main').getByRole('button', { name: 'Kirjat' }).click();
    await isAt(page, /^\/campaigns\/\?categories=\d+$/);
    const narrowed = page.url();
    await sees(page.getByRole('main').getByText(/^\d kampanjaa$/));

    await page.getByRole('main').getByRole('searchbox').fill('revontulten');
    await page.getByRole('main').getByRole('searchbox').press('Enter');
    await isAt(page, /\/search\/\?q=revontulten$/);
    await sees(page.getByRole('link', { name: title }));
    await page.goBack();
    await page.waitForURL(narrowed);
    await eventually(
      () => page.getByRole('main').getByRole('searchbox').inputValue(),
      (keyword) => expect(keyword).toBe(''),
    );

    await page.getByRole('link', { name: title }).click();
    await isAt(page, address);
    await sees(page.getByRole('heading', { level: 1, name: title }));
    await expectAccessible(page);

    const reward = page.getByRole('article', { name: 'Kirja ja vedos' });
    const { reward_id: rewardId, stock_reserved: taken } = await rewardOf(id, 'Kirja ja vedos');
    await sees(reward.getByText(`${taken} / 60 varattu`));
    await reward.getByRole('link', { name: 'Valitse' }).click();
    await isAt(page, `${address}pledge/${rewardId}`);
    await sees(page.getByRole('heading', { level: 1, name: 'Lähde mukaan' }));

    await page.getByRole('radio', { name: /Postitus Suomeen/ }).check();
    await fillContact(page, fi, { email, first: 'Aino', last: 'Virta' });
    await page.getByRole('radio', { name: 'Teen samalla tilin' }).check();
    await page.getByLabel('Salasana', { exact: true }).fill('hilla ja halla');
    await page.getByLabel('Salasana uudelleen').fill('hilla ja halla');
    await page.getByLabel('Katuosoite').fill('Pispalan valtatie 12');
    await page.getByLabel('Postinumero').fill('33250');
    await page.getByLabel('Postitoimipaikka').fill('Tampere');
    await fillCard(page, cards.secure);
    await expectAccessible(page);
    await sees(page.getByRole('button', { name: 'Maksa 119,00 €' }));
    await pressPay(page, fi);

    await sees(challenge(page).getByRole('heading', { name: 'Vahvista maksu' }));
    await expectAccessible(page);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();

    await seesThanks(page, fi);
    await isAt(page, `${address}thanks/`);
    await sees(page.getByRole('status').filter({ hasText: 'Maksu onnistui' }));
    await sees(page.getByText(email));
    await expectAccessible(page);
    await sees(page.getByRole('banner').getByText('Aino'));

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await sees(page.getByRole('heading', { name: 'Kuitti' }));
    await disappears(page.getByRole('banner'));
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    await page.emulateMedia({ media: null, colorScheme: null });

    const mail = await theMailTo(email);
    expect(mail.subject).toMatch(/^Kuitti /);
    expect(mail.subject).toContain(title);
    expect(mail.text).toContain('119,00');

    const after = await ask<Figures>(`/content/campaigns/${id}/fi/`);
    expect(after.campaign.funding_reached).toBe(before.campaign.funding_reached + 119);
    expect(after.campaign.number_of_backers).toBe(before.campaign.number_of_backers + 1);
    await page.getByRole('link', { name: 'Palaa kampanjaan' }).click();
    await isAt(page, address);
    await sees(page.getByRole('article', { name: 'Kirja ja vedos' }).getByText(`${taken + 1} / 60 varattu`));
    await sees(page.getByRole('region', { name: 'Tukijat' }).getByText('Aino Virta'));
    await sees(
      page.getByRole('region', { name: 'Rahoitus' }).getByText(euros(after.campaign.funding_reached)),
    );
  },
);

phone(
  'a custom amount is paid anonymously on a phone, without an account, by the card that was typed before the language was changed',
  async ({ page }) => {
    const { id, address, title } = await demoCampaign('viimeinen-naytos-kuhmossa', 'en');
    const email = newAddress('sam');
    await page.goto('/en/');
    await sees(page.getByRole('heading', { level: 1 }));
    await expectNoSidewaysScroll(page);
    await page.goto('/en/campaigns/?keyword=kuhmo');
    await sees(page.getByRole('link', { name: title }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: title }).tap();
    await isAt(page, `/en${address}`);
    await sees(page.getByRole('heading', { level: 1, name: title }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    const barLink = page.getByRole('link', { name: 'Join in' }).last();
    await page.getByRole('heading', { level: 2, name: 'Backers' }).scrollIntoViewIfNeeded();
    await sees(barLink);
    await barLink.tap();
    await isAt(page, `/en${address}pledge/`);
    await fillSum(page, en, '12.50');
    await fillContact(page, en, { email, first: 'Sam', last: 'Lindqvist' });
    await page.getByRole('checkbox', { name: 'Do not show my name' }).check();
    await fillCard(page, cards.good);
    for (const [language, label] of [
      ['SV', 'Kortnummer'],
      ['EN', 'Card number'],
    ] as const) {
      await page.getByRole('link', { name: language, exact: true }).tap();
      await sees(cardFrame(page).getByText(label));
    }
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Pay €12.50' }).tap();

    await seesThanks(page, en);
    await sees(page.getByRole('status').filter({ hasText: 'Payment received' }));
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const mail = await theMailTo(email);
    expect(mail.subject).toMatch(/^Receipt /);
    expect(mail.text).toContain('12.50');
    expect(await chargedTo(id)).toBe(1250);

    await page.getByRole('link', { name: 'Back to the campaign' }).tap();
    const backers = page.getByRole('region', { name: 'Backers' });
    await sees(backers.getByText('Anonymous'));
    await disappears(backers.getByText('Sam'));
  },
);

phone(
  'the payment page can be left, which keeps the form and shows the reason, and then pays',
  async ({ page }) => {
    const { id, address } = await demoCampaign('valot-takaisin-pispalaan');
    const { reward_id: rewardId } = await rewardOf(id, 'Vuosi verstaalla');
    const email = newAddress('vera');
    await page.goto(`${address}pledge/${rewardId}`);
    await fillContact(page, fi, { email, first: 'Vera', last: 'Mäki' });
    await page.getByRole('radio', { name: /Maksusivu/ }).check();
    await pressPay(page, fi);

    await sees(page.getByRole('heading', { name: 'Maksa kortilla' }));
    await expectAccessible(page);
    await page.getByRole('link', { name: /Takaisin maksamatta/ }).click();
    await sees(page.getByRole('heading', { name: 'Et maksanut vielä. Mitään ei veloitettu.' }));
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Jatka maksamista' }).click();
    await isAt(page, `${address}pledge/${rewardId}`);
    await sees(page.getByText('Palasit maksusivulta maksamatta.'));
    expect(await page.getByLabel(fi.email).inputValue()).toBe(email);
    expect(await page.getByLabel(fi.lastName).inputValue()).toBe('Mäki');
    expect(await page.getByRole('radio', { name: /Maksusivu/ }).isChecked()).toBe(true);
    expect(await chargedTo(id)).toBe(0);
    await expectAccessible(page);

    await pressPay(page, fi);
    await sees(page.getByRole('heading', { name: 'Maksa kortilla' }));
    expect(await page.getByLabel('Sähköposti').inputValue()).toBe(email);
    await page.getByLabel('Kortin numero').fill(cards.good);
    await page.getByLabel('Voimassa').fill('12 / 30');
    await page.getByLabel('Turvakoodi').fill('123');
    await page.getByLabel('Nimi kortissa').fill('Vera Mäki');
    await page.getByRole('button', { name: /^Maksa/ }).click();
    await seesThanks(page, fi);
    await isAt(page, `${address}thanks/`);
    await theMailTo(email);
    expect(await chargedTo(id)).toBe(24000);
    expect((await rewardOf(id, 'Vuosi verstaalla')).stock_reserved).toBe(1);
  },
);

async function rewardOf(campaignId: number, title: string) {
  const { rewards } = await ask<Stock>(`/content/campaigns/${campaignId}/rewards/fi/`);
  const found = rewards.find((reward) => reward.title === title);
  if (!found) throw new Error(`No reward ${title}.`);
  return found;
}

function euros(amount: number): string {
  return new Intl.NumberFormat('fi-FI', {
    style: 'currency',
    currency: 'EUR',
    maximumFractionDigits: 0,
  }).format(amount);
}
