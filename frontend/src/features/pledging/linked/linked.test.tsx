import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayment } from '../../../../test/builders';
import { config, serve } from '../../../../test/checkout';
import { now } from '../../../../test/clock';
import type { aPointer } from '../../../../test/pointer';
import { aMethod, serveB, serveMethods } from '../../../../test/providerB';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import type { Payment } from '../../../api/payments';
import { noPageData } from '../../../api/pageData';
import { paymentUnderWay, rememberUnderWay } from '../../../api/underWay';

jest.setTimeout(60_000);

const id = '01hq0000000000000000000001';
const key = `1795780800.${'k'.repeat(43)}`;
const openAt = (address: string) => renderAt(address, { page: { ...noPageData(), config } });

/** Serves the pledge's payment, as often as it is asked: of each call what it was asked with. */
function servePayment(status: () => Payment['status']) {
  const tokens: (string | null)[] = [];
  serve();
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), ({ request }) => {
      tokens.push(request.headers.get('Order-Token'));
      return HttpResponse.json({
        payment: aPayment({ pledge_id: id, status: status(), amount_minor: 9650 }),
      });
    }),
  );
  return tokens;
}

async function typeCard(pointer: ReturnType<typeof aPointer>) {
  for (const [label, typed] of Object.entries({
    'Kortin numero': '4970107111111119',
    Kuukausi: '11',
    Vuosi: '2028',
    CVC: '123',
  })) {
    await pointer.click(screen.getByLabelText(label));
    await pointer.paste(typed);
  }
}

test('a mailed link pays its pledge, with its own key and no other, in the ways that are there now', async () => {
  let status: Payment['status'] = 'created';
  const tokens = servePayment(() => status);
  serveMethods({ methods: [aMethod('card'), aMethod('bank')] });
  const sent = serveB();
  const app = await openAt(`/3/hoyry/pay/#token=${id}.${key}`);
  await waitFor(() => expect(app.router.state.location.hash).toBe(''));
  await app.pointer.click(await screen.findByRole('radio', { name: /^Kortti/ }));
  expect(screen.queryByRole('radio', { name: /^Suoraveloitus/ })).toBeNull();
  await typeCard(app.pointer);
  status = 'succeeded';
  await app.pointer.click(screen.getByRole('button', { name: /^Maksa 96,50/ }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Tukesi on maksettu' })).toBeVisible();
  expect(sent.of('payin')).toHaveLength(1);
  expect(sent.calls.every(({ orderToken }) => orderToken === key)).toBe(true);
  expect(tokens.every((token) => token === key)).toBe(true);
});

test('what the payment service hears of later than the browser, or a bank confirms later, is asked about until it is paid', async () => {
  let status: Payment['status'] = 'created';
  const tokens = servePayment(() => status);
  serveMethods({ methods: [aMethod('card')] });
  const sent = serveB();
  const app = await openAt(`/3/hoyry/pay/#token=${id}.${key}`);
  await app.pointer.click(await screen.findByRole('radio', { name: /^Kortti/ }));
  await typeCard(app.pointer);
  await app.pointer.click(screen.getByRole('button', { name: /^Maksa 96,50/ }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksusi on matkalla' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  status = 'processing';
  const asked = tokens.length;
  await waitFor(() => expect(tokens.length).toBeGreaterThan(asked), { timeout: 5_000 });
  expect(screen.getByRole('heading', { level: 1, name: 'Maksusi on matkalla' })).toBeVisible();
  status = 'succeeded';
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Tukesi on maksettu' }, { timeout: 5_000 }),
  ).toBeVisible();
  expect(sent.of('payin')).toHaveLength(1);
});

test('what is over, or no link, has nothing to pay; who comes back from a bank is led to the page of the link', async () => {
  servePayment(() => 'canceled');
  const { router, unmount } = await openAt(`/3/hoyry/pay/#token=${id}.${key}`);
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Tämä tuki ei enää odota maksua' }),
  ).toBeVisible();
  await act(() => router.navigate(`/payment-return/?pledge=${id}`));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pay/'));
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Tämä tuki ei enää odota maksua' }),
  ).toBeVisible();
  unmount();
  window.sessionStorage.clear();
  server.use(http.get(payments(`/api/pledges/${id}/payment`), () => refusal('not_your_order', 403)));
  const other = await openAt(`/3/hoyry/pay/#token=${id}.${key}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Linkki ei ole kokonainen' })).toBeVisible();
  other.unmount();
  window.sessionStorage.clear();
  await openAt('/3/hoyry/pay/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Linkki ei ole kokonainen' })).toBeVisible();
});

test.each([
  ['succeeded', 'Tukesi on maksettu'],
  ['canceled', 'Tämä tuki ei enää odota maksua'],
] as const)(
  'of a pledge that is %s, the browser tells no payment under way any more',
  async (status, title) => {
    servePayment(() => status);
    rememberUnderWay(3, undefined, () => now, { pledgeId: id, amount: 96.5, at: now });
    await openAt(`/3/hoyry/pay/#token=${id}.${key}`);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(paymentUnderWay(3, undefined, () => now)).toBeUndefined();
  },
);
