import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayment } from '../../../test/builders';
import { aFakeProvider } from '../../../test/cardForm';
import { cardError, fillIn, open, payButton, serve } from '../../../test/checkout';
import { now } from '../../../test/clock';
import type { RenderOptions } from '../../../test/render';
import { payments, server } from '../../../test/server';
import type { Payment } from '../../api/payments';
import { keptPledge } from './storage';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(30_000);

const provider = aFakeProvider();

test('after a change the earlier pledge is released and a new one is created', async () => {
  const sent = serve();
  const app = await open('/3/hoyry/pledge/4');
  await fillIn(app);
  provider.results = [cardError({ type: 'card_error', code: 'expired_card' })];
  await app.pointer.click(payButton());
  await screen.findAllByText(/Kortti on vanhentunut/);
  await app.pointer.type(screen.getByLabelText(/Vapaa lisä/), '5');
  await app.pointer.click(payButton(/Maksa 15,00/));
  await screen.findByText('TK-2026-004183');
  expect(sent.released).toEqual(['01JD0000000000000000000000']);
  expect(sent.pledges.map(({ body }) => body.amount)).toEqual([10, 15]);
  expect(sent.pledges[0]?.key).not.toBe(sent.pledges[1]?.key);
});

describe('a change while the earlier payment may still be open', () => {
  const earlier = '01JD0000000000000000000000';

  /** Serves the earlier payment with a status that the test can change; records polls and set-ups. */
  function paymentIs(status: Payment['status']) {
    const earlierPayment = { status, polls: 0, setUp: [] as string[] };
    server.use(
      http.get(payments('/api/pledges/:id/payment'), ({ params }) => {
        earlierPayment.polls += 1;
        return HttpResponse.json({
          payment: aPayment({ pledge_id: String(params.id), status: earlierPayment.status }),
        });
      }),
      http.post(payments('/api/pledges/:id/setup'), ({ params }) => {
        earlierPayment.setUp.push(String(params.id));
        return HttpResponse.json({
          stripe: {
            payment_intent: { id: 'pi', client_secret: `secret-of-${String(params.id)}` },
            publishable_key: 'pk_test_1',
          },
          payment: {},
        });
      }),
    );
    return earlierPayment;
  }

  /** Pays 10 €, is refused, and changes it to 15 €. */
  async function changeAfterRefusal(options?: RenderOptions) {
    const app = await open('/3/hoyry/pledge/4', options);
    await fillIn(app);
    provider.results = [cardError({ type: 'card_error', code: 'expired_card' })];
    await app.pointer.click(payButton());
    await screen.findAllByText(/Kortti on vanhentunut/);
    await app.pointer.type(screen.getByLabelText(/Vapaa lisä/), '5');
    return app;
  }

  test('the page announces that the earlier payment is being closed, and pays afterwards', async () => {
    serve();
    const earlierPayment = paymentIs('requires_action');
    const app = await changeAfterRefusal();
    await app.pointer.click(payButton(/Maksa 15,00/));
    const told = await screen.findByText('Suljetaan aiempaa maksua.');
    expect(told).toHaveAttribute('role', 'status');
    await waitFor(() => expect(earlierPayment.polls).toBeGreaterThan(1));
    expect(earlierPayment.setUp).toEqual([earlier]);
    earlierPayment.status = 'canceled';
    await screen.findByText('TK-2026-004183', {}, { timeout: 5_000 });
    expect(earlierPayment.setUp).toEqual([earlier, '01JD0000000000000000000001']);
  });

  test('if the earlier payment was paid, its thanks page is shown and nothing else is paid', async () => {
    const sent = serve();
    const earlierPayment = paymentIs('succeeded');
    const app = await changeAfterRefusal();
    await app.pointer.click(payButton(/Maksa 15,00/));
    expect(
      await screen.findByText('Aiempi maksusi oli jo matkalla, joten uutta maksua ei tehty.'),
    ).toBeVisible();
    await screen.findByText('TK-2026-004183');
    expect(earlierPayment.setUp).toEqual([earlier]);
    expect(provider.confirmed).toEqual([`secret-of-${earlier}`]);
    expect(sent.released).toEqual([earlier, '01JD0000000000000000000001']);
    expect(keptPledge(3)).toMatchObject({ pledgeId: earlier, isSent: true });
  });

  test('if the earlier payment does not close, that is said, and the next press waits again', async () => {
    const sent = serve();
    const earlierPayment = paymentIs('requires_action');
    let time = now;
    const app = await changeAfterRefusal({ now: () => time });
    await app.pointer.click(payButton(/Maksa 15,00/));
    await screen.findByText('Suljetaan aiempaa maksua.');
    // Advances the clock past the timeout.
    time += 20_000;
    const words = /Aiempaa maksuasi suljetaan vielä\. Yritä hetken päästä uudelleen\. Mitään ei veloitettu\./;
    expect((await screen.findAllByText(words))[0]).toBeVisible();
    expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
    expect(screen.getByLabelText(/Vapaa lisä/)).toHaveValue('5');
    expect(earlierPayment.setUp).toEqual([earlier]);

    app.unmount();
    earlierPayment.status = 'canceled';
    const again = await open('/3/hoyry/pledge/4');
    await again.pointer.click(payButton(/Maksa 15,00/));
    await screen.findByText('TK-2026-004183');
    expect(earlierPayment.setUp).toEqual([earlier, '01JD0000000000000000000001']);
    expect(new Set(sent.pledges.slice(1).map(({ key }) => key)).size).toBe(1);
  });
});
