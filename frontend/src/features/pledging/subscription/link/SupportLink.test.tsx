import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { installProvider, type ProviderScript } from '../../../../../test/cardForm';
import { config } from '../../../../../test/checkout';
import { renderAt } from '../../../../../test/render';
import { content, payments, refusal, server } from '../../../../../test/server';
import { aRecord } from '../../../../../test/subscription';
import { noPageData } from '../../../../api/pageData';
import type { SubscriptionLink } from '../../../../api/subscriptionPayments';

jest.setTimeout(30_000);

let provider: ProviderScript;
beforeAll(() => {
  provider = installProvider();
});
beforeEach(() => {
  Object.assign(provider, { isComplete: true, results: [], confirmed: [], amounts: [], formOutcomes: [] });
});

const skipping: SubscriptionLink = {
  act: 'skip',
  state: 'open',
  campaign_title: 'Kuoro',
  currency: 'EUR',
  amount_minor: 700,
  day: '2026-12-20',
  next_charge: { period: 4, day: '2027-01-20', amount_minor: 700 },
};

/** Serves a link; pressing makes it what it is then. */
function serve(link: SubscriptionLink, then: Partial<SubscriptionLink> = { state: 'done' }) {
  const sent: string[] = [];
  const state = { link };
  server.use(
    http.post(payments('/api/subscription-links/:call'), async ({ params, request }) => {
      const { token } = (await request.json()) as { token: string };
      sent.push(`${String(params.call)} ${token}`);
      if (params.call === 'setup') {
        state.link = { ...state.link, ...then };
        return HttpResponse.json({ client_secret: 'pi_1_secret', intent_id: 'pi_1' });
      }
      if (params.call === 'act') state.link = { ...state.link, ...then };
      return HttpResponse.json({ link: state.link });
    }),
  );
  return sent;
}

const open = (address = '/en/support-link/#token=ABC') =>
  renderAt(address, { page: { ...noPageData(), config } });

test('opening the page tells what will happen and does nothing; the button does it', async () => {
  const sent = serve(skipping);
  const { pointer, router } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Skip December?' });
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(screen.getByText('Nothing is charged on 20 Dec 2026.')).toBeVisible();
  expect(screen.getByText('€7.00, 20 Jan 2027')).toBeVisible();
  expect(sent).toEqual(['look ABC']);
  await pointer.click(screen.getByRole('button', { name: 'Skip December' }));
  await screen.findByRole('heading', { level: 1, name: 'December is skipped' });
  expect(screen.queryByRole('button', { name: 'Skip December' })).not.toBeInTheDocument();
  expect(screen.queryByText(/already/)).not.toBeInTheDocument();
  expect(sent).toEqual(['look ABC', 'act ABC']);
});

test('a link that has been used says so, and has no button', async () => {
  serve({ ...skipping, state: 'done' });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'December is skipped' });
  expect(screen.getByText(/It had been done already/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Skip/ })).not.toBeInTheDocument();
});

test.each([
  [{ state: 'gone' }, 'December can no longer be skipped'],
  [{ state: 'ended' }, 'Your support has ended'],
  [{ act: 'pay', state: 'processing' }, 'Your bank is confirming €7.00'],
  [{ act: 'cancel', state: 'done', ends_on: '2026-12-19' }, 'Your support stops'],
] as [Partial<SubscriptionLink>, string][])('%j: says so without a button', async (how, title) => {
  serve({ ...skipping, ...how });
  await open();
  await screen.findByRole('heading', { level: 1, name: title });
  expect(screen.queryByRole('button', { name: /Skip|Pay|Stop/ })).not.toBeInTheDocument();
});

test('stopping says until when what is paid runs', async () => {
  serve({ ...skipping, act: 'cancel', ends_on: '2026-12-19', next_charge: undefined });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'Stop supporting Kuoro?' });
  expect(screen.getByText(/runs until 19 Dec 2026/)).toBeVisible();
});

test.each(['/en/support-link/#token=ABC', '/en/support-link/', '/en/support-receipt/#token=ABC'])(
  '%s, too old or without its token, leads to the profile',
  async (address) => {
    server.use(
      http.post(payments('/api/subscription-links/look'), () => refusal('email_link_expired', 410)),
      http.post(content('/subscription-links/receipt/'), () => refusal('email_link_expired', 410)),
    );
    await open(address);
    await screen.findByRole('heading', { level: 1, name: 'The link does not work' });
    expect(screen.getByRole('link', { name: 'My monthly support' })).toHaveAttribute(
      'href',
      '/en/profile/me/subscriptions/',
    );
  },
);

test('a failure of the act leaves the button; a failure to look can be tried again', async () => {
  serve(skipping);
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Skip December?' });
  server.use(http.post(payments('/api/subscription-links/act'), () => refusal('unavailable', 503)));
  await pointer.click(screen.getByRole('button', { name: 'Skip December' }));
  expect(await screen.findByRole('alert')).not.toBeEmptyDOMElement();
  expect(screen.getByRole('button', { name: 'Skip December' })).toBeEnabled();
});

test('a month is paid by the form, without the key to anything else', async () => {
  const sent = serve({ ...skipping, act: 'pay', card: 'Visa ···· 4242', next_charge: undefined });
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Pay €7.00 for December' });
  await pointer.click(await screen.findByRole('button', { name: 'Pay €7.00 now' }));
  await screen.findByRole('heading', { level: 1, name: '€7.00 for December is paid' });
  expect(sent).toEqual(['look ABC', 'setup ABC', 'look ABC']);
  expect(provider.confirmed).toHaveLength(1);
});

test('a receipt is shown without who supports', async () => {
  const record = aRecord();
  server.use(
    http.post(content('/subscription-links/receipt/'), () =>
      HttpResponse.json({
        receipt: record.charges[0],
        currency: 'EUR',
        campaign: record.campaign,
      }),
    ),
  );
  await open('/en/support-receipt/#token=ABC');
  await screen.findByRole('heading', { level: 1, name: 'Receipt of your monthly support' });
  expect(screen.getByText(record.charges[0]!.receipt_number)).toBeVisible();
});
