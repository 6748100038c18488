import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { installProvider, type ProviderScript } from '../../../../../test/cardForm';
import { config } from '../../../../../test/checkout';
import { renderAt } from '../../../../../test/render';
import { content, payments, refusal, server } from '../../../../../test/server';
import { aRecord, overLimit } from '../../../../../test/subscription';
import { noPageData } from '../../../../api/pageData';
import type { SubscriptionLink } from '../../../../api/subscriptionPayments';

jest.setTimeout(30_000);

let provider: ProviderScript;
beforeAll(() => {
  provider = installProvider();
});
beforeEach(() => {
  Object.assign(provider, {
    isComplete: true,
    results: [],
    confirmed: [],
    returns: [],
    amounts: [],
    formOutcomes: [],
  });
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

const paying: SubscriptionLink = {
  ...skipping,
  act: 'pay',
  card: 'Visa ···· 4242',
  next_charge: undefined,
};

const another: SubscriptionLink = {
  act: 'card',
  state: 'open',
  campaign_title: 'Kuoro',
  currency: 'EUR',
  next_charge: { period: 4, day: '2027-01-20', amount_minor: 700 },
  card: 'Visa ···· 4242',
};

const open = (address = '/en/support-link/#token=ABC') =>
  renderAt(address, { page: { ...noPageData(), config } });

/** The button of a card form, once that can be submitted. */
async function ready(name: string) {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button).toBeEnabled());
  return button;
}

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
      http.post(content('/pledge-links/receipt/'), () => refusal('email_link_expired', 410)),
    );
    await open(address);
    await screen.findByRole('heading', { level: 1, name: 'The link does not work' });
    expect(screen.getByRole('link', { name: 'My monthly support' })).toHaveAttribute(
      'href',
      '/en/profile/me/subscriptions/',
    );
  },
);

test('a failure of the act leaves the button', async () => {
  serve(skipping);
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Skip December?' });
  server.use(http.post(payments('/api/subscription-links/act'), () => refusal('unavailable', 503)));
  await pointer.click(screen.getByRole('button', { name: 'Skip December' }));
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
  const button = screen.getByRole('button', { name: 'Skip December' });
  expect(button).not.toHaveAttribute('aria-busy');
  expect(button).toBeEnabled();
});

test('a failure to look can be tried again', async () => {
  let isDown = true;
  serve(skipping);
  server.use(
    http.post(payments('/api/subscription-links/look'), () =>
      isDown ? refusal('unavailable', 503) : undefined,
    ),
  );
  const { pointer } = await open();
  const retry = await screen.findByRole('button', { name: /Try again/ });
  isDown = false;
  await pointer.click(retry);
  await screen.findByRole('heading', { level: 1, name: 'Skip December?' });
});

test.each([
  ['pause', 'Pause for three months?', 'Your support is paused'],
  ['resume', 'Go on as before?', 'Your support goes on'],
  ['cancel', 'Stop supporting Kuoro?', 'Your support stops'],
] as const)('%s is asked, and done by its button', async (act, ask, done) => {
  const sent = serve({ ...skipping, act });
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: ask });
  if (act === 'cancel') expect(screen.getByText(/Your support ends at once/)).toBeVisible();
  await pointer.click(
    screen.getByRole('button', { name: /^(Pause for three months|Go on as before|Stop my support)$/ }),
  );
  await screen.findByRole('heading', { level: 1, name: done });
  expect(sent).toEqual(['look ABC', 'act ABC']);
});

test('another card is saved without a charge, from the next one on', async () => {
  const sent = serve(another);
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Another card for Kuoro' });
  expect(screen.getAllByText(/Nothing is charged now/)).toHaveLength(2);
  await pointer.click(await ready('Save card'));
  await screen.findByRole('heading', { level: 1, name: 'The new card is in use' });
  expect(sent).toEqual(['look ABC', 'setup ABC', 'act ABC']);
});

test('while a month waits for its charge, the card page says that it is charged at once', async () => {
  serve({ ...another, next_charge: undefined, tries_at_once: true });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'Another card for Kuoro' });
  expect(screen.getByText(/The month that is to be paid is charged to the new card at once/)).toBeVisible();
  expect(screen.queryByText(/Nothing is charged now/)).not.toBeInTheDocument();
  expect(screen.queryByText('none')).not.toBeInTheDocument();
});

test('while a month waits for something else than its card, the card page does not say that it is charged at once', async () => {
  serve({ ...another, next_charge: undefined, tries_at_once: false });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'Another card for Kuoro' });
  expect(screen.getAllByText(/The new card is used from the next charge/)).toHaveLength(2);
  expect(screen.queryByText(/is charged to the new card at once/)).not.toBeInTheDocument();
  expect(screen.queryByText(/Nothing is charged now/)).not.toBeInTheDocument();
  expect(screen.queryByText('none')).not.toBeInTheDocument();
});

test('support that ends is charged nothing more, also not to another card', async () => {
  serve({ ...another, next_charge: undefined, ends_on: '2026-12-19' });
  await open();
  expect(await screen.findAllByText(/Nothing is charged now/)).toHaveLength(2);
});

test('what cannot be done has no sum', async () => {
  serve({ ...skipping, state: 'gone' });
  const { unmount } = await open();
  await screen.findByRole('heading', { level: 1, name: 'December can no longer be skipped' });
  expect(screen.queryByText('Left out')).not.toBeInTheDocument();
  unmount();
  serve({ ...paying, state: 'gone' });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'There is nothing to pay for December' });
  expect(screen.queryByText('Amount')).not.toBeInTheDocument();
});

test('while the bank confirms, the page looks again until it is paid', async () => {
  const sent = serve({ ...paying, state: 'processing' });
  await open();
  await screen.findByRole('heading', { level: 1, name: 'Your bank is confirming €7.00' });
  server.use(
    http.post(payments('/api/subscription-links/look'), () =>
      HttpResponse.json({ link: { ...paying, state: 'done' } }),
    ),
  );
  await screen.findByRole('heading', { level: 1, name: /is paid/ }, { timeout: 5_000 });
  expect(sent).toEqual(['look ABC']);
});

test('a month that was paid in another tab meanwhile is shown as paid', async () => {
  let isPaid = false;
  serve(paying);
  server.use(
    http.post(payments('/api/subscription-links/setup'), () => {
      isPaid = true;
      return refusal('subscription_not_payable', 409);
    }),
    http.post(payments('/api/subscription-links/look'), () =>
      isPaid ? HttpResponse.json({ link: { ...paying, state: 'done' } }) : undefined,
    ),
  );
  const { pointer } = await open();
  await pointer.click(await ready('Pay €7.00 now'));
  await screen.findByRole('heading', { level: 1, name: /is paid/ });
  expect(provider.confirmed).toEqual([]);
});

test('when the answer of the bank was lost and the month is still open, its form says so and stays', async () => {
  serve(paying, { state: 'open' });
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider.results = [
    { then: (_: unknown, reject: (reason: Error) => void) => reject(new Error('lost')) } as never,
  ];
  const { pointer } = await open();
  await pointer.click(await ready('Pay €7.00 now'));
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
  expect(screen.getByRole('button', { name: 'Pay €7.00 now' })).toBeEnabled();
});

test('a month is paid by the form, without the key to anything else', async () => {
  const sent = serve(paying);
  const { pointer } = await open();
  await screen.findByRole('heading', { level: 1, name: 'Pay €7.00 for December' });
  await pointer.click(await ready('Pay €7.00 now'));
  await screen.findByRole('heading', { level: 1, name: '€7.00 for December is paid' });
  expect(sent).toEqual(['look ABC', 'setup ABC', 'look ABC']);
  expect(provider.confirmed).toHaveLength(1);
});

test('the provider is not told the token, which is the permission', async () => {
  serve(paying);
  const { pointer } = await open();
  await pointer.click(await ready('Pay €7.00 now'));
  await screen.findByRole('heading', { level: 1, name: /is paid/ });
  expect(provider.returns).toEqual(['http://localhost:8080/en/support-link/']);
});

describe('a month that the provider has confirmed is not offered to be paid again', () => {
  const confirming = { level: 1, name: 'Your bank is confirming €7.00' };

  test.each(['the look is lost', 'the service does not know yet'])('while %s', async (why) => {
    const state = { isDown: false, isBehind: true };
    serve(paying, { state: 'open' });
    server.use(
      http.post(payments('/api/subscription-links/look'), () =>
        state.isDown
          ? refusal('unavailable', 503)
          : HttpResponse.json({ link: state.isBehind ? paying : { ...paying, state: 'done' } }),
      ),
    );
    const { pointer } = await open();
    const button = await ready('Pay €7.00 now');
    state.isDown = why === 'the look is lost';
    await pointer.click(button);
    await screen.findByRole('heading', confirming);
    expect(screen.queryByRole('button', { name: /Pay/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    Object.assign(state, { isDown: false, isBehind: false });
    await screen.findByRole('heading', { level: 1, name: /is paid/ }, { timeout: 5_000 });
    expect(screen.queryByText(/already/)).not.toBeInTheDocument();
  });
});

test('while the new card is being kept, another press does not begin again', async () => {
  const sent = serve(another);
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  let acts = 0;
  server.use(
    http.post(payments('/api/subscription-links/act'), async () => {
      acts += 1;
      await isAnswered;
      return undefined; // the handler of `serve` answers
    }),
  );
  const { pointer } = await open();
  const button = await ready('Save card');
  await pointer.click(button);
  await waitFor(() => expect(acts).toBe(1));
  expect(button).toHaveAttribute('aria-busy', 'true');
  await pointer.click(button);
  answer();
  await screen.findByRole('heading', { level: 1, name: 'The new card is in use' });
  expect(sent).toEqual(['look ABC', 'setup ABC', 'act ABC']);
});

test('a receipt is shown without who supports', async () => {
  const record = aRecord();
  server.use(
    http.post(content('/subscription-links/receipt/'), () =>
      HttpResponse.json({
        receipt: record.charges[0],
        currency: 'EUR',
        campaign: record.campaign,
        reward_title: 'Toinen rivi',
        reward_language: 'fi',
      }),
    ),
  );
  await open('/en/support-receipt/#token=ABC');
  await screen.findByRole('heading', { level: 1, name: 'Receipt of your monthly support' });
  expect(screen.getByText(record.charges[0]!.receipt_number)).toBeVisible();
  expect(screen.getByText('Toinen rivi')).toHaveAttribute('lang', 'fi');
});

test('a link that would cross the limit asks to sign in, and does nothing', async () => {
  server.use(http.post(payments('/api/subscription-links/look'), () => overLimit(4000, 4350)));
  const { pointer } = await open();
  const box = within(await screen.findByRole('region', { name: 'December would come to €43.50' }));
  expect(box.getByText(/sign in, and you can raise it in the money calendar/)).toBeVisible();
  expect(box.getByRole('link', { name: 'Sign in and open the money calendar' })).toBeVisible();
  await pointer.click(box.getByRole('button', { name: 'Leave it as it is' }));
  expect(await screen.findByText('Nothing was changed.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});
