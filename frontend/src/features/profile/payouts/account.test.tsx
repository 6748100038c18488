import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPreview } from '../../../../test/builders';
import { aCampaignAdmin } from '../../../../test/campaignAdmin';
import { aBank, aPayee, aPayeeAtA, openPayouts, partner, servePayees } from '../../../../test/payees';
import { content, payments, refusal, server } from '../../../../test/server';
import type { CampaignPreview } from '../../../api/content';
import type { Payee } from '../../../api/payees';
import { leaveFor } from '../../../ui/leaveFor';

jest.mock('../../../ui/leaveFor');

beforeEach(() => jest.mocked(leaveFor).mockReset());

const account = () => screen.findByRole('region', { name: 'Your payout account' });

test.each<[Payee['state'], string, string]>([
  ['begun', 'Begun', 'Your payout account is begun. Something is still missing.'],
  ['checking', 'Being checked', 'Our payment partner is checking your details.'],
  ['ready', 'Can be paid', 'You can be paid.'],
  ['restricted', 'Needs you', 'No new money can come to you until what is missing is in order.'],
  ['closed', 'Closed', 'Your payout account is closed. You can open another one here.'],
])('an account that is %s says so in words', async (state, chip, lead) => {
  servePayees(aPayee({ state, banks: [aBank()] }));
  await openPayouts();
  expect(within(await account()).getByText(chip)).toBeVisible();
  expect(screen.getByText(lead)).toBeVisible();
  // Only in place of a closed one another can be made.
  expect(screen.queryAllByRole('heading', { name: 'Who is paid?' })).toHaveLength(state === 'closed' ? 1 : 0);
});

test('money that the partner keeps back is told first, and nothing is said to be asked for', async () => {
  servePayees(aPayee({ state: 'ready', needs: [{ code: 'blocked_outflows' }] }));
  await openPayouts();
  await account();
  expect(screen.getByText(/^You can be paid, but our payment partner sends no money out/)).toBeVisible();
  expect(screen.queryByText(/asks for something more/)).toBeNull();
});

test('an account in use stands before one that was closed', async () => {
  servePayees(aPayee({ state: 'closed' }), aPayee({ state: 'ready' }));
  await openPayouts();
  expect(within(await account()).getByText('Can be paid')).toBeVisible();
});

test('each thing that is missing is a row, and the first that its person can do leads to the partner', async () => {
  const served = servePayees(
    aPayee({
      state: 'restricted',
      needs: [
        { code: 'blocked_inflows' },
        { code: 'identity', by: '2026-12-15T10:00:00Z' },
        { code: 'consents' },
        { code: 'identity_again' },
        { code: 'enrollment' },
        { code: 'blocked_outflows' },
      ],
    }),
  );
  const { pointer } = await openPayouts();
  const rows = within(await account()).getAllByRole('listitem');
  expect(rows.map((row) => within(row).getByRole('heading', { level: 3 }).textContent)).toEqual([
    'The partner takes no money in for you',
    'Proof of who you are',
    'Your permission to pay out',
    'Proof of who you are, once more',
    'A strong confirmation of your own',
    'The partner sends no money out to you',
  ]);
  expect(rows[1]).toHaveTextContent('By 15 Dec 2026.');
  expect(screen.getAllByRole('button', { name: 'Continue' })).toHaveLength(1);
  await pointer.click(within(rows[1]!).getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(served.sent).toEqual([{ returnUrl: 'http://localhost:8080/en/profile/me/payouts/?back=1' }]);
});

test('when there is nothing to do but to wait, it says so', async () => {
  servePayees(aPayee({ state: 'checking', needs: [{ code: 'identity' }] }));
  server.use(
    http.post(payments('/api/users/mangopay/verification'), () =>
      HttpResponse.json({ userId: 'user_m_1', walletId: 'wlt_m_1', payee: aPayee({ state: 'checking' }) }),
    ),
  );
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(/nothing to do just now but to wait/)).toBeVisible();
  expect(leaveFor).not.toHaveBeenCalled();
});

test('who comes back from the partner is welcomed while it is asked, and then told how it is', async () => {
  const served = servePayees(aPayee({ state: 'begun', needs: [{ code: 'enrollment' }] }));
  await openPayouts('?back=1');
  expect(await screen.findByText('Welcome back. We are checking what they know')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  served.payees = [aPayee()];
  expect(await screen.findByText('Can be paid')).toBeVisible();
  expect(screen.queryByText(/Welcome back/)).toBeNull();
  expect(served.reads).toBe(2);
});

test('when nothing new is known after a few seconds, what is missing is shown again', async () => {
  const served = servePayees(aPayee({ state: 'begun', needs: [{ code: 'enrollment' }] }));
  await openPayouts('?back=1');
  await screen.findByText(/Welcome back/);
  expect(await screen.findByRole('button', { name: 'Continue' }, { timeout: 20_000 })).toBeVisible();
  expect(screen.queryByText(/Welcome back/)).toBeNull();
  expect(served.reads).toBe(4);
});

describe('campaigns paid to it', () => {
  const own = aPreview({ stage: 0, creator: { ...aPreview().creator, user_id: 7 } });
  const set = content('/campaigns/3/set_payment_account/');

  const serveOwn = (...previews: CampaignPreview[]) =>
    server.use(
      http.get(content('/campaigns/mycampaigns/preview/:language/'), () =>
        HttpResponse.json({ previews, total: previews.length }),
      ),
    );

  function serveCampaigns(settings: object, ...previews: CampaignPreview[]) {
    const sent: unknown[] = [];
    servePayees(aPayee());
    serveOwn(...previews);
    server.use(
      http.get(content('/campaigns/3/admin/'), () =>
        HttpResponse.json({
          campaign: aCampaignAdmin({ settings: { contact_email: 'a@example.fi', ...settings } }),
        }),
      ),
      http.post(set, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ settings: {}, version: 4 });
      }),
    );
    return sent;
  }
  const button = (name: RegExp) => screen.findByRole('button', { name });

  test('a campaign is linked to all accounts of its creator', async () => {
    const sent = serveCampaigns({ payment_account_id: 'acct_1' }, own);
    servePayees(aPayee(), aPayeeAtA());
    serveOwn(own);
    const { pointer } = await openPayouts();
    await pointer.click(await button(/^Link these accounts to Höyry/));
    const linked = await screen.findByText('Linked to these accounts');
    expect(linked.closest('[role=status]')).toHaveFocus();
    expect(sent).toEqual([
      { stripe_account_id: 'acct_1', mangopay_user_id: 'user_m_1', mangopay_wallet_id: 'wlt_m_1' },
    ]);
  });

  test('one that is linked to it already is left as it is', async () => {
    const work = { review: 'none', done: 1, of: 2, updated_at: '2026-11-01T10:00:00Z' } as const;
    const sent = serveCampaigns(
      { payment_wallet_id: 'wlt_m_1' },
      { ...own, work: { ...work, payment_account: true } },
    );
    const { pointer } = await openPayouts();
    expect(await screen.findByText(/An account is linked/)).toHaveTextContent('Draft · An account is linked');
    await pointer.click(await button(/^Change to this account/));
    expect(await screen.findByText('Linked to this account')).toBeVisible();
    expect(sent).toEqual([]);
  });

  test('somebody else’s campaign is linked by its creator', async () => {
    serveCampaigns({}, aPreview());
    await openPayouts();
    expect(await screen.findByText('Its creator links the account.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Link this account/ })).toBeNull();
  });

  test('a refused link says simply that only the creator can, and can be tried again', async () => {
    serveCampaigns({}, own);
    server.use(http.post(set, () => refusal('forbidden', 403)));
    const { pointer } = await openPayouts();
    await pointer.click(await button(/^Link this account/));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Only the campaign’s creator can link an account.',
    );
    expect(await button(/^Link this account/)).toBeVisible();
  });
});
