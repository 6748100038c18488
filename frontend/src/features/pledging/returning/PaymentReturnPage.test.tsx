import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayment } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server, untilQuiet } from '../../../../test/server';
import { id, paid, serve, servePayment } from '../../../../test/thanks';
import { keepOrderToken } from '../../../api/orderTokens';
import type { Raise } from '../../../api/pledging';
import { rememberUnderWay } from '../../../api/underWay';

// Polls are at least a second apart.
jest.setTimeout(30_000);

// Some tests lead back to the pledge page, which warns that it has no card form here.
beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => {
  window.sessionStorage.clear();
  window.localStorage.clear();
  jest.restoreAllMocks();
});

test('the server’s status decides, not the address, and a paid pledge leads to the thanks page', async () => {
  serve(paid);
  servePayment({}, { status: 'succeeded' });
  const { router } = await renderAt(`/payment-return/?pledge=${id}&redirect_status=failed`);
  expect(screen.getByRole('status')).toHaveTextContent('Kysymme pankilta');
  expect(await screen.findByText('TK-2026-004183', {}, { timeout: 10_000 })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/3/hoyry/thanks/', search: '' });
});

test('a refused card leads back to the pledge form, with the reason and what was typed', async () => {
  serve(paid);
  servePayment({ failure_code: 'insufficient_funds' });
  window.sessionStorage.setItem('tk-pledge-draft-3', JSON.stringify({ email: 'leena@example.fi' }));
  const { router, pointer } = await renderAt(`/payment-return/?pledge=${id}&redirect_status=succeeded`);
  await screen.findByRole('heading', { level: 1, name: 'Kortti ei käynyt. Mitään ei veloitettu.' });
  expect(screen.getByText('Käytä toista korttia')).toBeVisible();
  await pointer.click(screen.getByRole('link', { name: 'Yritä uudelleen' }));
  expect(await screen.findByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  expect(router.state.location.pathname).toBe('/3/hoyry/pledge/');
  expect((await screen.findAllByText(/ei ole tarpeeksi katetta/))[0]).toBeVisible();
});

test('leaving the payment page on purpose is not shown as an error', async () => {
  serve(paid);
  servePayment({});
  const { pointer } = await renderAt(`/en/payment-return/?pledge=${id}&canceled=1`);
  expect(await screen.findByText('Payment left')).toBeVisible();
  expect(screen.queryByText(/did not go through/)).toBeNull();
  await pointer.click(screen.getByRole('link', { name: 'Go on paying' }));
  expect(await screen.findByText(/You came back from the payment page without paying/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refund because the reward sold out is said', async () => {
  serve({ status: 'refunded', refund_reason: 'reward_gone' });
  servePayment({ status: 'refunded' });
  await renderAt(`/payment-return/?pledge=${id}`);
  expect(await screen.findByText(/Vastike ehti loppua/)).toBeVisible();
});

test('an address without a pledge links home', async () => {
  await renderAt('/payment-return/');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Tässä osoitteessa ei ole maksua');
});

test.each([
  [
    'is down',
    () => HttpResponse.json({ status: 'unavailable', message: '', request_id: 'r' }, { status: 503 }),
  ],
  ['does not answer', () => HttpResponse.error()],
])(
  'while the server %s, it is unknown whether anything was charged, and it is asked again',
  async (_, answer) => {
    serve(paid);
    server.use(http.get(payments(`/api/pledges/${id}/payment`), answer));
    const { pointer } = await renderAt(`/payment-return/?pledge=${id}`);
    expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
    expect(screen.queryByText(/ei mennyt läpi|Mitään ei veloitettu/)).toBeNull();
    servePayment({ status: 'succeeded' });
    await pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
    expect(await screen.findByText('TK-2026-004183', {}, { timeout: 10_000 })).toBeVisible();
  },
);

const raise: Raise = {
  raise_id: id.toLowerCase(),
  campaign_id: 3,
  status: 'paid',
  currency: 'EUR',
  amount: 58.5,
  from_amount: 146.5,
  to_amount: 205,
  quantity: 1,
  reward_title: 'Ensilöylyt',
  lines: [{ label: 'Ensilöylyt', amount: 205 }],
  payable_until: '2026-11-22T10:05:00Z',
};

/** Serves an address whose pledge is none: what the service says of a change with its number, as often as it is asked. */
function serveNoPledge(answer: () => Response | Promise<Response>) {
  serve(paid);
  const payment = aPayment({ pledge_id: raise.raise_id, status: 'succeeded' });
  server.use(
    http.get(content(`/pledges/${raise.raise_id}/`), () => refusal('not_found', 404)),
    http.get(payments(`/api/pledges/${raise.raise_id}/payment`), () => HttpResponse.json({ payment })),
    http.get(content(`/raises/${raise.raise_id}/`), () => answer()),
  );
}

test('who comes back from paying a change of a pledge in another tab is led to the page of that change', async () => {
  const isAsked = jest.fn();
  let answer: (value: Response) => void = () => undefined;
  const asked = new Promise<Response>((resolve) => (answer = resolve));
  serveNoPledge(() => {
    isAsked();
    return asked;
  });
  const { router } = await renderAt(`/payment-return/?pledge=${raise.raise_id}`);
  await waitFor(() => expect(isAsked).toHaveBeenCalled());
  // Nothing is said of it until it is known whether it is one.
  await act(untilQuiet);
  expect(screen.getByRole('status')).toHaveTextContent('Kysymme pankilta');
  // Of the page that it leads to.
  server.use(http.get(content(`/raises/${raise.raise_id}/`), () => HttpResponse.json({ raise })));
  answer(HttpResponse.json({ raise }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/_/pay/'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Tukesi on muutettu' })).toBeVisible();
});

test('a guest who comes back from paying a change in another tab, or in the browser that was closed meanwhile, sees how it went', async () => {
  serve(paid);
  const payment = aPayment({ pledge_id: raise.raise_id, status: 'succeeded' });
  const withToken = (answer: () => Response) => (call: { request: Request }) =>
    call.request.headers.get('Order-Token') === 'its-token' ? answer() : refusal('not_your_order', 403);
  server.use(
    http.get(
      content(`/pledges/${raise.raise_id}/`),
      withToken(() => refusal('not_found', 404)),
    ),
    http.get(
      payments(`/api/pledges/${raise.raise_id}/payment`),
      withToken(() => HttpResponse.json({ payment })),
    ),
    http.get(
      content(`/raises/${raise.raise_id}/`),
      withToken(() => HttpResponse.json({ raise })),
    ),
  );
  keepOrderToken(raise.raise_id, 'its-token');
  rememberUnderWay(3, undefined, () => now, { pledgeId: raise.raise_id, amount: 58.5, at: now });
  // Begun after it: a browser may have left more than one.
  rememberUnderWay(3, undefined, () => now, { pledgeId: id, amount: 45, at: now });
  window.sessionStorage.clear();
  const { router } = await renderAt(`/payment-return/?pledge=${raise.raise_id}`);
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/_/pay/'));
});

test('an unanswered question about a change is asked again, and only what is neither could not be checked', async () => {
  let answer = () => refusal('unavailable', 503);
  serveNoPledge(() => answer());
  const { pointer } = await renderAt(`/payment-return/?pledge=${raise.raise_id}`);
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  answer = () => refusal('not_found', 404);
  await pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksun tilaa ei saatu' })).toBeVisible();
});
