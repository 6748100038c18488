import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPayment, aUser, someSubscriptions } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { serveCampaign } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server, untilQuiet } from '../../../../test/server';
import { rememberBacked } from '../../../api/backed';
import type { Payment } from '../../../api/payments';
import { rememberUnderWay } from '../../../api/underWay';
import type { OwnInCampaign, OwnPledgeIn, OwnSupportIn } from '../../../api/own';

const panel = async () => within(await screen.findByRole('region', { name: 'Funding' }));
const tabs = async () => {
  const nav = await screen.findByRole('navigation', { name: 'Parts of the campaign' });
  return within(nav.parentElement!);
};

function serveMine(own: Partial<OwnInCampaign>) {
  server.use(
    http.get(content('/users/me/backed/3/'), () =>
      HttpResponse.json({ pledges: [], subscriptions: [], ...own }),
    ),
  );
}

const support: OwnSupportIn = {
  subscription_id: '01JD0000000000000000000009',
  status: 'active',
  amount: 7,
  currency: 'EUR',
  begun_on: '2026-03-20',
  next_charge_on: '2026-12-20',
  payment_method: 'Visa ···· 4242',
};
const pledge: OwnPledgeIn = {
  pledge_id: '01JD0000000000000000000008',
  status: 'paid',
  amount: 96.5,
  currency: 'EUR',
  quantity: 2,
  reward_title: 'An evening for two',
  charged_at: '2026-11-20T10:00:00Z',
};
const monthly = () => serveCampaign(aCampaign({ stage: 6, subscriptions: someSubscriptions() }));

test.each<[string, Partial<OwnSupportIn>, string, string]>([
  [
    'going on',
    {},
    'You support this with €7.00 a month',
    'Since 20 Mar 2026. Next charge 20 Dec 2026, Visa ···· 4242.',
  ],
  [
    'ending',
    { next_charge_on: undefined, ends_on: '2026-12-19' },
    'You support this with €7.00 a month',
    'Since 20 Mar 2026. Your support ends on 19 Dec 2026.',
  ],
  [
    'at the bank with its first month',
    { status: 'processing', next_charge_on: undefined },
    'Your €7.00 a month is about to begin',
    'Your bank is still confirming the first month.',
  ],
  [
    'paused',
    { status: 'paused', next_charge_on: '2027-03-20' },
    'Your €7.00 a month is paused',
    'Until 20 Mar 2027. Nothing is charged before that.',
  ],
  [
    'failing',
    { due_on: '2026-12-20', next_charge_on: undefined },
    'December’s €7.00 did not go through',
    'Nothing was charged.',
  ],
  [
    'given up',
    { status: 'past_due', next_charge_on: undefined },
    '€7.00 did not go through',
    'Nothing was charged.',
  ],
  [
    'held',
    { held_on: '2026-12-20', next_charge_on: undefined },
    '€7.00 waits because of your monthly limit',
    'Nothing was charged.',
  ],
])('a supporter whose support is %s sees it in place of the button', async (_, change, title, text) => {
  monthly();
  serveMine({ subscriptions: [{ ...support, ...change }] });
  await renderAt('/en/3/hoyry/', { user: aUser() });
  const box = await panel();
  expect(box.getByRole('heading', { name: title })).toBeVisible();
  expect(box.getByText(text)).toBeVisible();
  expect(box.queryByRole('link', { name: /^Support with/ })).toBeNull();
  const to = '/en/subscriptions/01JD0000000000000000000009/';
  const links = box.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toContain(to);
  expect((await tabs()).getByRole('link', { name: 'Your support' })).toHaveAttribute('href', to);
});

test('a backer sees what they have pledged, and may pledge more', async () => {
  serveCampaign(aCampaign());
  serveMine({ pledges: [pledge] });
  await renderAt('/en/3/hoyry/', { user: aUser() });
  const box = await panel();
  expect(box.getByRole('heading', { name: 'You pledged €96.50 on 20 Nov 2026' })).toBeVisible();
  expect(box.getByText('2 × An evening for two.')).toBeVisible();
  expect(box.queryByRole('link', { name: 'Join in' })).toBeNull();
  expect(box.getByRole('link', { name: 'Your pledges' })).toHaveAttribute('href', '/en/profile/me/pledges/');
  expect(box.getByRole('link', { name: 'Pledge more' })).toHaveAttribute('href', '/en/3/hoyry/pledge/');
  expect((await tabs()).getByRole('link', { name: 'Your pledges' })).toBeVisible();
});

test('rewards that were bought in another language are marked, those in the page’s are not', async () => {
  serveCampaign(aCampaign());
  serveMine({
    pledges: [
      { ...pledge, reward_title: 'Iltavuoro kahdelle', reward_language: 'fi' },
      { ...pledge, pledge_id: 'b', quantity: 1, reward_language: 'en' },
    ],
  });
  await renderAt('/en/3/hoyry/', { user: aUser() });
  const box = await panel();
  const name = box.getByText('Iltavuoro kahdelle');
  expect(name).toHaveAttribute('lang', 'fi');
  expect(name.closest('p')).toHaveTextContent('2 × Iltavuoro kahdelle, An evening for two.');
  expect(name.closest('p')).not.toHaveAttribute('lang');
});

test('several pledges are one sum', async () => {
  serveCampaign(aCampaign());
  serveMine({ pledges: [pledge, { ...pledge, pledge_id: 'b', amount: 3.5, status: 'processing' }] });
  await renderAt('/en/3/hoyry/', { user: aUser() });
  const box = await panel();
  expect(box.getByRole('heading', { name: 'You have pledged €100.00 in 2 pledges' })).toBeVisible();
  expect(box.getByText(/still confirming/)).toBeVisible();
});

test('who has nothing in it, and a guest, who is not asked about, see the campaign as anybody', async () => {
  serveCampaign(aCampaign());
  let asked = 0;
  server.use(http.get(content('/users/me/backed/3/'), () => void (asked += 1)));
  await renderAt('/en/3/hoyry/');
  expect((await panel()).getByRole('link', { name: 'Join in' })).toBeVisible();
  expect(asked).toBe(0);
});

test('without an answer the campaign is as for anybody', async () => {
  serveCampaign(aCampaign());
  server.use(http.get(content('/users/me/backed/3/'), () => refusal('internal', 500)));
  await renderAt('/en/3/hoyry/', { user: aUser() });
  expect((await panel()).getByRole('link', { name: 'Join in' })).toBeVisible();
});

test('a guest sees what was paid from this browser, without a whole address, and can have it forgotten', async () => {
  serveCampaign(aCampaign());
  rememberBacked(3, { amount: 10, at: Date.parse('2026-11-18T10:00:00Z'), mail: 'l···@posti.fi' });
  const { pointer } = await renderAt('/en/3/hoyry/');
  const box = await panel();
  expect(box.getByRole('heading', { name: 'A pledge of €10.00 was made from this browser' })).toBeVisible();
  expect(box.getByText(/On 18 Nov 2026, receipt to l···@posti.fi/)).toBeVisible();
  expect(box.getByRole('link', { name: 'Join in' })).toBeVisible();
  await pointer.click(box.getByRole('button', { name: 'Forget it in this browser' }));
  await waitFor(() => expect(box.queryByText(/from this browser/)).toBeNull());
  expect(window.localStorage.getItem('tk-backed-3')).toBeNull();
});

describe('a payment of which this browser has seen no answer', () => {
  const payment = { pledgeId: pledge.pledge_id, amount: 96.5, at: now - 60_000 };
  const left = (userId?: number) => rememberUnderWay(3, userId, () => now, payment);
  const told = (answer: () => Response) =>
    server.use(http.get(payments(`/api/pledges/${pledge.pledge_id}/payment`), answer));
  const standing = (status: Payment['status']) => () =>
    HttpResponse.json({ payment: aPayment({ pledge_id: pledge.pledge_id, status }) });

  test('is told in place of what would pay again, until it is known', async () => {
    serveCampaign(aCampaign());
    left();
    told(() => refusal('unavailable', 503));
    const app = await renderAt('/en/3/hoyry/');
    const box = await panel();
    expect(
      await box.findByRole('heading', { name: 'We do not know yet whether your bank was charged €96.50' }),
    ).toBeVisible();
    expect(box.getByText(/Do not pay again/)).toBeVisible();
    expect(box.getByRole('link', { name: 'See how it stands' })).toHaveAttribute(
      'href',
      '/en/3/hoyry/pledge/',
    );
    expect(screen.queryByRole('link', { name: 'Join in' })).toBeNull();
    expect((await tabs()).getByRole('link', { name: 'See how it stands' })).toBeVisible();

    told(standing('succeeded'));
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(await box.findByRole('heading', { name: 'Your payment of €96.50 went through' })).toBeVisible();
    expect(app.router.state.location.pathname).toBe('/en/3/hoyry/');
  });

  test.each<[string, () => Response]>([
    ['that was not charged', standing('requires_action')],
    ['that is over', standing('canceled')],
    ['that was never begun', () => refusal('not_found', 404)],
  ])('%s leaves the page as for anybody', async (_, answer) => {
    serveCampaign(aCampaign());
    left();
    let asked = 0;
    told(() => {
      asked += 1;
      return answer();
    });
    await renderAt('/en/3/hoyry/');
    await waitFor(() => expect(asked).toBe(1));
    await act(untilQuiet);
    expect((await panel()).getByRole('link', { name: 'Join in' })).toBeVisible();
  });

  test('that the server counts already is told once', async () => {
    serveCampaign(aCampaign());
    serveMine({ pledges: [pledge] });
    left(aUser().user_id);
    told(() => refusal('unavailable', 503));
    await renderAt('/en/3/hoyry/', { user: aUser() });
    expect((await panel()).getByRole('heading', { name: /^You pledged €96.50/ })).toBeVisible();
    await act(untilQuiet);
    expect(screen.queryByText(/We do not know yet/)).toBeNull();
  });
});
