import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { demoCampaign } from './demo';
import { desktop, journey, phone } from './journey';
import { newAddress, theMailsTo } from './mailbox';
import { openByMail, openSupport, passToNextMonth } from './monthly';
import { cards, challenge, en, fi, fillCard, fillContact, paymentsTo, pressPay } from './paying';

// Months of a journey's own sums, by which its payments are found at the provider.

/** How many months of a sum are paid, and how many objects at the provider they have. */
async function monthsOf(campaign: number, cents: number) {
  const months = await paymentsTo(campaign, cents);
  return { begun: months.length, paid: months.filter(({ status }) => status === 'succeeded').length };
}

journey(
  'the next month is charged, its card dies, and the link in the mail leads to another one with 3-D Secure',
  desktop,
  async ({ page, another }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const email = newAddress('kausi');
    await page.goto(`${campaign.address}pledge/13`);
    await fillContact(page, fi, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.secureOnce);
    await pressPay(page, fi);
    await challenge(page).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /saa sinulta 13\s€ kuukaudessa/ }));
    const subscription = await openSupport(page, 'Hallitse tukeasi');

    await passToNextMonth(subscription);
    await theMailsTo(email, 2, 'Kuitti');
    expect(await monthsOf(campaign.id, 1300)).toEqual({ begun: 2, paid: 2 });
    await page.reload();
    await sees(page.getByText(/2 veloitusta, yhteensä 26,00\s€/));
    await expectAccessible(page);

    const next = page.getByRole('region', { name: 'Seuraava veloitus' });
    await next.getByRole('button', { name: 'Vaihda kortti' }).click();
    await fillCard(page, cards.dies);
    await page.getByRole('button', { name: 'Talleta kortti' }).click();
    await sees(next.getByText(/0341/));
    await passToNextMonth(subscription);

    // Whoever has the link needs no account, nor this browser.
    const elsewhere = await another();
    await openByMail(elsewhere, email, 'ei mennyt läpi');
    await sees(elsewhere.getByRole('heading', { level: 1, name: /^Maksa 13,00\s€, / }));
    await expectAccessible(elsewhere);
    await fillCard(elsewhere, cards.secure);
    await elsewhere.getByRole('button', { name: /^Maksa 13,00/ }).click();
    await challenge(elsewhere).getByRole('button', { name: 'Hyväksy maksu' }).click();
    await sees(elsewhere.getByRole('heading', { level: 1, name: /maksettu$/ }));
    await theMailsTo(email, 3, 'Kuitti');
    expect(await monthsOf(campaign.id, 1300)).toEqual({ begun: 3, paid: 3 });
    await elsewhere.reload();
    await sees(elsewhere.getByText(/^Se oli jo tehty\./));
    await expectAccessible(elsewhere);
    await page.reload();
    await sees(page.getByText(/3 veloitusta, yhteensä 39,00\s€/));
    await sees(next.getByText(/3184/));
  },
);

journey(
  'on a phone, in English: a bank that wants its customer sends the mail, and a month that was not confirmed can be',
  phone,
  async ({ page }) => {
    const campaign = await demoCampaign('kuoro-jossa-ei-osata-laulaa');
    const email = newAddress('month');
    await page.goto(`/en${campaign.address}pledge/14`);
    await fillContact(page, en, { email, first: 'Aino', last: 'Virta' });
    await fillCard(page, cards.secure);
    await pressPay(page, en);
    await challenge(page).getByRole('button', { name: 'Complete authentication' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /gets €14 a month from you/ }));
    await passToNextMonth(await openSupport(page, 'Manage your support'));

    await openByMail(page, email, 'wants you to confirm');
    await sees(page.getByRole('heading', { level: 1, name: /^Pay €14.00 for / }));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await fillCard(page, cards.secure);
    const pay = page.getByRole('button', { name: /^Pay €14.00/ });
    await pay.click();
    await challenge(page).getByRole('button', { name: 'Fail authentication' }).click();
    await sees(page.getByRole('main').getByRole('alert').getByText(/\S/));
    await expectAccessible(page);
    await pay.click();
    await challenge(page).getByRole('button', { name: 'Complete authentication' }).click();
    await sees(page.getByRole('heading', { level: 1, name: /is paid$/ }));
    await disappears(pay);
    await eventually(
      () => monthsOf(campaign.id, 1400),
      (months) => expect(months).toEqual({ begun: 2, paid: 2 }),
    );
    await expectNoSidewaysScroll(page);
    await isAt(page, /\/en\/support-link\/$/);
  },
);
