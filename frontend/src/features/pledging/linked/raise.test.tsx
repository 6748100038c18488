import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayment } from '../../../../test/builders';
import { config, serve } from '../../../../test/checkout';
import { now } from '../../../../test/clock';
import { aMethod, serveB, serveMethods } from '../../../../test/providerB';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import { noPageData } from '../../../api/pageData';
import type { Raise } from '../../../api/pledging';
import { paymentUnderWay, rememberUnderWay } from '../../../api/underWay';
import { keepLinked, tokenAt } from './linked';

jest.setTimeout(60_000);

const id = '01hq0000000000000000000009';
const key = `1795780800.${'k'.repeat(43)}`;
const openAt = (address: string) => renderAt(address, { page: { ...noPageData(), config } });

/** Serves the change that waits, as often as it is asked. */
function serveRaise(status: () => Raise['status']) {
  const tokens: (string | null)[] = [];
  serve();
  server.use(
    http.get(content(`/raises/${id}/`), ({ request }) => {
      tokens.push(request.headers.get('Order-Token'));
      return HttpResponse.json({
        raise: {
          raise_id: id,
          campaign_id: 3,
          status: status(),
          currency: 'EUR',
          amount: 58.5,
          from_amount: 146.5,
          to_amount: 205,
          quantity: 1,
          reward_title: 'Ensilöylyt',
          lines: [
            { label: 'Ensilöylyt', amount: 200 },
            { label: 'Vapaa lisä', amount: 5 },
          ],
          payable_until: '2026-11-22T10:05:00Z',
        } satisfies Raise,
      });
    }),
  );
  return tokens;
}

test('a change says what is charged, pays that alone with its own key, and is done when the pledge is changed', async () => {
  let status: Raise['status'] = 'created';
  const tokens = serveRaise(() => status);
  serveMethods({ methods: [aMethod('card'), aMethod('bank')] });
  const sent = serveB();
  const app = await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
  expect((await screen.findByText('Tukesi muutoksen jälkeen')).parentElement).toHaveTextContent(/205,00.€/);
  expect(screen.getByRole('heading', { level: 1, name: 'Maksa tukesi muutos' })).toBeVisible();
  expect(screen.getByText('Jo maksettu').parentElement).toHaveTextContent(/146,50.€/);
  await app.pointer.click(await screen.findByRole('radio', { name: /^Kortti/ }));
  expect(screen.queryByRole('radio', { name: /^Suoraveloitus/ })).toBeNull();
  for (const [label, typed] of Object.entries({
    'Kortin numero': '4970107111111119',
    Kuukausi: '11',
    Vuosi: '2028',
    CVC: '123',
  })) {
    await app.pointer.click(screen.getByLabelText(label));
    await app.pointer.paste(typed);
  }
  await app.pointer.click(screen.getByRole('button', { name: /^Maksa 58,50/ }));
  // The provider has said yes, and the pledge is not changed yet: nothing can be paid again meanwhile.
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksusi on matkalla' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
  status = 'paid';
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Tukesi on muutettu' }, { timeout: 5_000 }),
  ).toBeVisible();
  expect(sent.of('payin')).toHaveLength(1);
  expect(sent.calls.every(({ orderToken }) => orderToken === key)).toBe(true);
  expect(tokens.every((token) => token === key)).toBe(true);
});

test('who came from the page of the pledge is led back there, and others to the campaign', async () => {
  serveRaise(() => 'paid');
  const path = `/3/hoyry/pay/#token=change.${id}.${key}`;
  const alone = await openAt(path);
  expect(await screen.findByRole('link', { name: 'Kampanjan sivulle' })).toBeVisible();
  alone.unmount();
  keepLinked(id, key, { path: '/3/hoyry/pay/', token: `change.${id}.${key}`, opened: 'its-own' });
  await openAt(path);
  expect(await screen.findByRole('link', { name: 'Tukeesi' })).toHaveAttribute(
    'href',
    '/pledge-link/#token=its-own',
  );
});

test('a change that was paid on another page, of which content has not heard, is not to be paid again', async () => {
  serveRaise(() => 'awaiting_payment');
  serveMethods({ methods: [aMethod('card')] });
  const payment = aPayment({ pledge_id: id, status: 'succeeded' });
  server.use(http.get(payments(`/api/pledges/${id}/payment`), () => HttpResponse.json({ payment })));
  await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`); // by the mailed link of the pledge, in another browser
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksusi on matkalla' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Maksa/ })).toBeNull();
});

test('a change that is over has nothing to pay, and neither has who may not see it', async () => {
  serveRaise(() => 'expired');
  const over = await openAt(`/3/hoyry/pay/#token=change.${id}`);
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Tämä muutos ei enää odota maksua' }),
  ).toBeVisible();
  over.unmount();
  window.sessionStorage.clear();
  server.use(http.get(content(`/raises/${id}/`), () => refusal('not_your_order', 403)));
  await openAt(`/3/hoyry/pay/#token=change.${id}`);
  await waitFor(() =>
    expect(screen.getByRole('heading', { level: 1, name: 'Tämä sivu ei aukea sinulle' })).toBeVisible(),
  );
});

test('of what was left under way, the page of a change tells its own payment and no other', async () => {
  serveRaise(() => 'created');
  serveMethods({ methods: [aMethod('card')] });
  const asked: unknown[] = [];
  server.use(
    http.get(payments('/api/pledges/:id/payment'), ({ params }) => {
      asked.push(params.id);
      return refusal('unavailable', 503);
    }),
  );
  const leave = (pledgeId: string) =>
    rememberUnderWay(3, undefined, () => now, { pledgeId, amount: 45, at: now });
  leave('01hq0000000000000000000001');
  const other = await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
  expect(await screen.findByRole('radio', { name: /^Kortti/ })).toBeEnabled();
  expect(screen.getByRole('heading', { level: 1, name: 'Maksa tukesi muutos' })).toBeVisible();
  expect(asked).not.toContain('01hq0000000000000000000001');
  other.unmount();
  window.sessionStorage.clear();
  leave(id);
  leave('01hq0000000000000000000002');
  await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Emme tiedä vielä, veloitettiinko tämä' }),
  ).toBeVisible();
  expect(new Set(asked)).toEqual(new Set([id]));
});

test('while no answer comes, a change is told as unknown, never as on its way, and nothing pays again before it was asked for', async () => {
  serveRaise(() => 'awaiting_payment');
  serveMethods({ methods: [aMethod('card')] });
  let isDown = true;
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      isDown
        ? refusal('unavailable', 503)
        : HttpResponse.json({ payment: aPayment({ pledge_id: id, status: 'succeeded' }) }),
    ),
  );
  rememberUnderWay(3, undefined, () => now, { pledgeId: id, amount: 58.5, at: now });
  const app = await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
  const unknown = { level: 1, name: 'Emme tiedä vielä, veloitettiinko tämä' };
  expect(await screen.findByRole('heading', unknown)).toBeVisible();
  expect(screen.queryByText(/on matkalla/)).toBeNull();
  expect(screen.queryByRole('button', { name: /aksa/ })).toBeNull();
  isDown = false;
  await app.pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksusi on matkalla' })).toBeVisible();
});

test('a reload without a connection, which loses the link from the history, does not lose the page', async () => {
  serveRaise(() => 'created');
  serveMethods({ methods: [aMethod('card')] });
  const first = await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksa tukesi muutos' })).toBeVisible();
  first.unmount();
  const again = await openAt('/3/hoyry/pay/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Maksa tukesi muutos' })).toBeVisible();
  again.unmount();
  expect(tokenAt('/4/toinen/pay/')).toBeUndefined();
});

test.each([
  ['paid', 'Tukesi on muutettu'],
  ['processing', 'Maksusi on matkalla'],
  ['expired', 'Tämä muutos ei enää odota maksua'],
] as const)(
  'of a change that is %s, the browser tells no payment under way any more',
  async (status, title) => {
    serveRaise(() => status);
    const payment = { pledgeId: id, amount: 58.5, at: now };
    rememberUnderWay(3, undefined, () => now, payment);
    rememberUnderWay(3, undefined, () => now, { ...payment, pledgeId: '01hq0000000000000000000001' });
    await openAt(`/3/hoyry/pay/#token=change.${id}.${key}`);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(paymentUnderWay(3, undefined, () => now, id)).toBeUndefined();
    expect(paymentUnderWay(3, undefined, () => now)?.pledgeId).toBe('01hq0000000000000000000001');
  },
);
