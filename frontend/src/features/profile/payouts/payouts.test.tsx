import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPreview, aUser } from '../../../../test/builders';
import { aBank, aPayee, openPayouts, servePayees } from '../../../../test/payees';
import { content, payments, refusal, server } from '../../../../test/server';
import type { CampaignPreview } from '../../../api/content';
import type { Payout, PayoutStatement } from '../../../api/payees';
import { saveSheet } from '../../../ui/saveFile';
import { stopsOf, wholeShares } from './payoutStops';

jest.mock('../../../ui/saveFile');

/** A payout of 100 euros that is on its way to its bank. */
const aPayout = (overrides: Partial<Payout> = {}): Payout => ({
  campaign_id: 7,
  stage: 'paying',
  currency: 'EUR',
  collected_minor: 10_000,
  fee_minor: 500,
  vat_minor: 102,
  reserve_minor: 500,
  set_off_minor: 0,
  bank_kept_minor: 0,
  reversed_minor: 0,
  released_minor: 0,
  kept: [],
  net_minor: 9000,
  ended_at: '2026-10-31T22:00:00Z',
  counted_at: '2026-11-07T10:00:00Z',
  approved_at: '2026-11-23T10:00:00Z',
  sent_at: '2026-11-24T10:00:00Z',
  bank: { country: 'FI', last_four: '0785' },
  ...overrides,
});

/** A payout that has not been counted. */
const uncounted: Partial<Payout> = {
  stage: 'checking',
  collected_minor: 0,
  fee_minor: 0,
  vat_minor: 0,
  reserve_minor: 0,
  net_minor: 0,
  counted_at: undefined,
  approved_at: undefined,
  sent_at: undefined,
  bank: undefined,
};

async function open(...payouts: Payout[]) {
  const served = servePayees(aPayee({ banks: [aBank()] }));
  served.payouts = payouts;
  const preview = aPreview({ campaign_id: 7, title: 'Njuolla' });
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/:language/'), () =>
      HttpResponse.json({ previews: [preview], total: 1 }),
    ),
  );
  await openPayouts();
  return served;
}

const payouts = () => screen.findByRole('region', { name: 'Your payouts' });

test('a payout says how much, where the money is, and what became of all that was paid', async () => {
  await open(aPayout());
  const region = within(await payouts());
  expect(await region.findByRole('heading', { name: 'Njuolla' })).toBeVisible();
  expect(region.getByText('The money is on its way to your bank account FI ···· 0785.')).toBeVisible();
  const stops = within(region.getByRole('list', { name: 'Where the money is' })).getAllByRole('listitem');
  expect(stops.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Ended, done1 Nov/),
    expect.stringMatching(/^Counted, done7 Nov/),
    expect.stringMatching(/^Checked, done23 Nov/),
    expect.stringMatching(/^Sent, done24 Nov/),
    'On your account, now',
  ]);
  const row = (label: string) => region.getByText(label, { selector: 'dt' }).nextSibling?.textContent;
  expect(row('Paid to the campaign')).toBe('€100.00');
  expect(row('Our fee')).toBe('-€3.98');
  expect(row('VAT on our fee')).toBe('-€1.02');
  expect(row('To you')).toBe('€90.00');
  const split = within(region.getByRole('list', { name: 'What the sum is divided into' }));
  expect(split.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'To you 90%',
    'Kept back 5%',
    'Our fee and VAT 5%',
  ]);
});

test.each<[string, Partial<Payout>, string]>([
  ['nobody has counted', uncounted, 'We are counting what has been paid to the campaign.'],
  ['is being checked', { stage: 'checking' }, 'The sum is counted. We check it once more'],
  ['waits for its creator', { stage: 'needs_you' }, 'The payout waits for you.'],
  ['has arrived', { stage: 'arrived' }, 'The money is in your bank account FI ···· 0785.'],
  [
    'is too little for a month',
    { ...uncounted, stage: 'carried', month: '2026-11', carried: { sum_minor: 999, minimum_minor: 1000 } },
    "The month's support came to less than €10.00. €9.99 waits and is paid with the next month.",
  ],
  [
    'has paid what was owed',
    { stage: 'set_off', net_minor: 0, set_off_minor: 9000 },
    'All of it has covered',
  ],
])('a payout that %s says so', async (_, overrides, sentence) => {
  await open(aPayout(overrides));
  expect(within(await payouts()).getByText(sentence, { exact: false })).toBeVisible();
});

test('a month of support has its name, and says when what is kept back comes', async () => {
  await open(
    aPayout({
      month: '2026-11',
      kept: [
        { due_on: '2027-03-31', kept_minor: 400, used_minor: 100, released_minor: 0 },
        { due_on: '2028-01-01', kept_minor: 100, used_minor: 0, released_minor: 100 },
      ],
    }),
  );
  const region = within(await payouts());
  expect(await region.findByText('November 2026')).toBeVisible();
  expect(region.getByText('Month ended', { exact: false })).toBeVisible();
  const why = region.getByText('For late refunds and disputes.', { exact: false });
  expect(why).toHaveTextContent(
    '€1.00 has covered refunds. €3.00 is released on 31 Mar 2027 if nothing comes in the way. €1.00 has been released.',
  );
  expect(region.queryByRole('list', { name: 'Where the money is' })).toBeVisible();
});

test('what was kept back and is released says so, without a fee', async () => {
  await open(
    aPayout({
      collected_minor: 0,
      fee_minor: 0,
      vat_minor: 0,
      reserve_minor: 0,
      released_minor: 750,
      net_minor: 750,
    }),
  );
  const region = within(await payouts());
  expect(await region.findByText('Money that was kept back')).toBeVisible();
  expect(region.getByText('From earlier payouts').nextSibling).toHaveTextContent('€7.50');
  expect(region.queryByText('Our fee')).toBeNull();
});

test('what a bank has kept of a payout that came back says who bears it', async () => {
  await open(aPayout({ bank_kept_minor: 150, net_minor: 8850 }));
  const region = within(await payouts());
  const row = await region.findByText('Kept by a bank', { selector: 'dt' });
  expect(region.getByText('Kept by a bank', { selector: 'li' })).toHaveTextContent(/ [12]%$/);
  expect(row).toHaveTextContent('Whoever named the account that did not take the money bears it.');
  expect(row.nextSibling).toHaveTextContent('-€1.50');
});

test('what was taken back from the account at the provider has its row and its reason', async () => {
  await open(aPayout({ reversed_minor: 2850, net_minor: 6150 }));
  const region = within(await payouts());
  const row = await region.findByText('Taken back for refunds');
  expect(row).toHaveTextContent('it paid what backers got back');
  expect(row.nextSibling).toHaveTextContent('-€28.50');
});

test('who has no payouts sees nothing of them', async () => {
  await open();
  await screen.findByRole('region', { name: 'Your payout account' });
  expect(screen.queryByRole('region', { name: 'Your payouts' })).toBeNull();
});

test('payouts that cannot be read are asked for again on a press', async () => {
  const served = servePayees(aPayee({ banks: [aBank()] }));
  served.payouts = [aPayout()];
  server.use(
    http.get(payments('/api/users/me/payouts'), () => refusal('internal_error', 500), { once: true }),
  );
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await payouts()).toBeVisible();
});

test('shares are whole and make a hundred, and the first stop without a day is where the money is', () => {
  expect(wholeShares([1, 1, 1])).toEqual([34, 33, 33]);
  expect(wholeShares([2145552, 123600, 155118, 61730])).toEqual([86, 5, 6, 3]);
  expect(wholeShares([0, 0])).toEqual([0, 0]);
  expect(
    stopsOf(aPayout(), (stop) => stop, String).filter(({ isSettling }) => isSettling !== undefined),
  ).toHaveLength(1);
  const states = stopsOf(aPayout({ sent_at: undefined }), (stop) => stop, String).map(({ state }) => state);
  expect(states).toEqual(['passed', 'passed', 'passed', 'now', 'ahead']);
});

const runId = '01jd0000000000000000000001';

/** Opens the statement of a payout whose fee has been credited in part. */
async function openStatement() {
  servePayees();
  const statement: PayoutStatement = {
    payout: aPayout({ statement_id: runId }),
    days: [
      {
        day: '2026-10-05',
        charges: 2,
        collected_minor: 10_000,
        fee_minor: 500,
        reserve_minor: 500,
        net_minor: 9000,
      },
    ],
    fee: { number: '2026-17', issued_on: '2026-11-23', net_minor: 398, vat_minor: 102, vat_percent: 25.5 },
    credits: [{ number: 912, day: '2026-12-01', net_minor: 120, vat_minor: 30 }],
  };
  server.use(
    http.get(payments(`/api/users/me/payouts/${runId}`), () => HttpResponse.json(statement)),
    http.get(
      payments(`/api/users/me/payouts/${runId}/lines`),
      ({ request }) => new HttpResponse(`Day;${new URL(request.url).searchParams.get('language')}\r\n`),
    ),
  );
  const opened = await openPayouts(`${runId}/`);
  await screen.findByRole('heading', { name: 'Payout statement' });
  return opened;
}

test('a payout that is booked leads to its statement', async () => {
  await open(aPayout({ statement_id: runId }));
  const link = within(await payouts()).getByRole('link', { name: 'Statement and the document of our fee' });
  expect(link).toHaveAttribute('href', `/en/profile/me/payouts/${runId}/`);
});

test('a statement has the days, and our fee with its number, tax and credits', async () => {
  await openStatement();
  const row = await screen.findByRole('row', { name: /^5 Oct/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['2', '€100.00', '€5.00', '€5.00', '€90.00']);
  const fee = within(screen.getByRole('region', { name: 'Document of our fee' }));
  const value = (label: string) => fee.getByText(label, { selector: 'dt' }).nextSibling?.textContent;
  expect(value('Number')).toBe('2026-17');
  expect(value('Fee without tax')).toBe('€3.98');
  expect(value('VAT 25.5%')).toBe('€1.02');
  expect(value('Total')).toBe('€5.00');
  expect(value('Seller')).toContain('business id');
  expect(fee.getByText(/^Credit 912, 1 Dec.*: €1.20 \+ VAT €0.30 = €1.50$/)).toBeVisible();
});

test('its payments are saved as a file in the language of the page', async () => {
  const { pointer } = await openStatement();
  await pointer.click(await screen.findByRole('button', { name: 'Payments as a table (CSV)' }));
  await waitFor(() => expect(saveSheet).toHaveBeenCalledWith('Day;en\r\n', `talkoot-${runId}`));
});

test('a statement that is not one’s own is not found', async () => {
  servePayees();
  server.use(http.get(payments(`/api/users/me/payouts/${runId}`), () => refusal('not_found', 404)));
  await openPayouts(`${runId}/`);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a creator reads which of their ended campaigns have no account, with what was raised where it is no secret', async () => {
  servePayees();
  const work = { payment_account: false } as NonNullable<CampaignPreview['work']>;
  const own = {
    creator: { ...aPreview().creator, user_id: aUser().user_id },
    stage: 3,
    funding_reached: 4380.5,
    work,
  };
  const hidden = { ...own, funding_reached: 0, hide_funding_amount: true };
  const previews = [
    aPreview({ campaign_id: 1, title: 'Katto', ...own }),
    aPreview({ campaign_id: 2, title: 'Maksettu', ...own, work: { ...work, payment_account: true } }),
    aPreview({ campaign_id: 3, title: 'Kesken', ...own, stage: 2 }),
    aPreview({ campaign_id: 4, title: 'Toisen', ...own, creator: { ...own.creator, user_id: 99 } }),
    aPreview({ campaign_id: 5, title: 'Tyhjä', ...own, funding_reached: 0 }),
    aPreview({ campaign_id: 6, title: 'Salattu', ...hidden }),
    aPreview({ campaign_id: 7, title: 'Tyhjä salattu', ...hidden, number_of_backers: 0 }),
    aPreview({ campaign_id: 8, title: 'Vajaa', ...own, stage: 4 }),
    aPreview({ campaign_id: 9, title: 'Palautettu', ...own, stage: 4 }),
  ];
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/:language/'), () =>
      HttpResponse.json({ previews, total: previews.length }),
    ),
    http.get(content('/campaigns/:id/:language/'), ({ params }) =>
      HttpResponse.json({
        campaign: aCampaign({
          campaign_id: Number(params.id),
          funding_rule: params.id === '8' ? 'keep_what_is_raised' : 'all_or_nothing',
        }),
        acl: ['view'],
      }),
    ),
  );
  await openPayouts();
  const waiting = await screen.findByRole('region', { name: 'A campaign is waiting for an account' });
  expect(await within(waiting).findByText('Vajaa')).toBeVisible();
  expect(
    within(waiting)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Katto€4,380.50', 'Salattu', 'Vajaa€4,380.50']);
  expect(waiting).toHaveTextContent(
    /no account is linked to them\. Whatever has not been paid out yet is safe/,
  );
});
