import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aPledge, aPreview, aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import { id, keep, paid, serve, servePayment } from '../../../../test/thanks';
import type { Pledge } from '../../../api/pledging';

// Polls are at least a second apart.
jest.setTimeout(30_000);

// Some tests lead back to the pledge page, which warns that it has no card form here.
beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => {
  window.sessionStorage.clear();
  jest.restoreAllMocks();
});

test('a paid pledge shows what it did, its receipt and the next steps', async () => {
  serve(paid);
  keep();
  await renderAt('/3/hoyry/thanks/');
  const title = await screen.findByRole('heading', { level: 1, name: /Kiitos, Leena\./ });
  expect(title).toHaveTextContent('Höyry on 96,50 € lähempänä maalia.');
  expect(screen.getByText(/Olet tukija numero 313/)).toBeVisible();
  expect(screen.getByText('TK-2026-004183')).toBeVisible();
  expect(screen.getByText('2 × Iltavuoro kahdelle')).toBeVisible();
  expect(screen.getByText('sis. alv 25,5 %').nextSibling).toHaveTextContent('11,48 €');
  expect(
    screen.getByText('Maksaja: Leena Hakkarainen. Tuen saa Pielaveden kyläyhdistys. Maksun välitti Talkoot.'),
  ).toBeVisible();
  expect(screen.getByText(/Maksettu 20\.11\.2026 klo 13\.04/)).toBeVisible();
  expect(
    screen.getByText(/Visa ···· 4242\. Jos 24.000.€ ei täyty 26\.11\.2026 mennessä, saat kaiken takaisin/),
  ).toBeVisible();
  expect(screen.getByRole('heading', { name: 'toukokuu 2027' })).toBeVisible();
  expect(screen.getByRole('img', { name: /18.420.€/ })).toBeVisible();
});

test.each([
  [2, /Tämä on toinen tukesi tälle kampanjalle/],
  [3, /Tämä on 3\. tukesi tälle kampanjalle/],
])('pledge %i of a person says so in place of a number', async (nth_pledge, text) => {
  serve({ ...paid, backer_number: undefined, nth_pledge });
  keep();
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByText(/tukija numero/)).not.toBeInTheDocument();
});

test('the heading gets the focus when it appears, and the text selection is cleared', async () => {
  serve(paid);
  keep();
  const unmark = jest.spyOn(window.getSelection()!, 'removeAllRanges');
  await renderAt('/3/hoyry/thanks/');
  const title = await screen.findByRole('heading', { level: 1, name: /Kiitos, Leena\./ });
  await waitFor(() => expect(title).toHaveFocus());
  expect(unmark).toHaveBeenCalled();
});

test('while the bank confirms the payment, the page polls, and then shows the receipt', async () => {
  const seen = serve({ status: 'awaiting_payment', amount: 96.5 }, paid);
  keep();
  await renderAt('/en/3/hoyry/thanks/');
  expect(await screen.findByText('The bank is confirming the payment')).toBeVisible();
  expect(screen.getByText('Receipt follows when the bank confirms')).toBeVisible();
  expect(await screen.findByText('TK-2026-004183', {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.getByText('Payment received')).toBeVisible();
  expect(seen.polls).toBe(2);
});

test('a payment that takes days says so, and is no receipt before it has a number', async () => {
  serve({ status: 'processing', amount: 45 });
  keep();
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText(/Pankin vahvistus voi kestää muutaman päivän/)).toBeVisible();
  expect(screen.queryByText(/alle minuutin/)).toBeNull();
  expect(screen.getByRole('heading', { name: 'Tukesi' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Kuitti' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Tulosta' })).toBeNull();
});

const unpaid: Partial<Pledge> = {
  status: 'awaiting_payment',
  amount: 45,
  lines: [{ label: 'Iltavuoro kahdelle', amount: 45 }],
  reward_id: 5,
  reserved_until: '2026-11-20T11:34:00Z',
};

test.each([[{}], [{ failure_code: 'card_declined' }], [{ status: 'requires_action' as const }]])(
  'the page of an unpaid pledge says so and links back to paying (payment: %j)',
  async (poll) => {
    serve(unpaid);
    servePayment(poll);
    keep(false);
    await renderAt('/3/hoyry/thanks/');
    const title = await screen.findByRole('heading', { level: 1, name: /^Hei, Leena/ });
    expect(title).toHaveTextContent('Hei, Leena. Maksu jäi kesken.');
    expect(screen.getByText(/Mitään ei ole veloitettu\..* klo 13\.34 asti\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Jatka maksamaan' })).toHaveAttribute(
      'href',
      '/3/hoyry/pledge/5',
    );
    expect(screen.queryByText('Pankki vahvistaa maksua')).toBeNull();
    expect(screen.queryByText('Kuitti')).toBeNull();
    expect(screen.queryByText('Mitä seuraavaksi')).toBeNull();
  },
);

test('a pledge without a payment is unpaid too', async () => {
  serve(unpaid);
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      HttpResponse.json({ status: 'not_found', message: '', request_id: 'r' }, { status: 404 }),
    ),
  );
  keep(false);
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText('Ei vielä maksettu')).toBeVisible();
});

test('a payment that was made elsewhere is shown as being confirmed', async () => {
  serve(unpaid);
  servePayment({ status: 'succeeded' });
  keep(false);
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText('Pankki vahvistaa maksua')).toBeVisible();
});

test('if the payment’s status cannot be loaded, nothing is claimed and there is a retry button', async () => {
  serve(unpaid);
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      HttpResponse.json({ status: 'unavailable', message: '', request_id: 'r' }, { status: 503 }),
    ),
  );
  keep(false);
  const { pointer } = await renderAt('/3/hoyry/thanks/');
  const retry = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  expect(screen.queryByText('Pankki vahvistaa maksua')).toBeNull();
  servePayment({});
  await pointer.click(retry);
  expect(await screen.findByText('Ei vielä maksettu')).toBeVisible();
});

test('a payment for an expired pledge is never reported as not charged; it is refunded', async () => {
  serve({ status: 'expired', amount: 45 }, { status: 'expired' }, { status: 'refunded', amount: 45 });
  servePayment({ status: 'succeeded' });
  keep();
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText('Pankki vahvistaa maksua')).toBeVisible();
  expect(screen.queryByText(/Mitään ei veloitettu/)).toBeNull();
  const title = await screen.findByRole('heading', { level: 1, name: /palautuu/ }, { timeout: 8_000 });
  expect(title).toHaveTextContent('45 € palautuu sinulle.');
});

test('the link of an older mail shows its receipt, without who has paid', async () => {
  serve(paid);
  const sent: unknown[] = [];
  server.use(
    http.post(content('/subscription-links/receipt/'), () => refusal('email_link_expired', 410)),
    http.post(content('/pledge-links/receipt/'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({
        pledge: {
          ...aPledge({ ...paid, campaign: aPreview({ stage: 4 }) }),
          funding_rule: 'all_or_nothing',
          email: undefined,
          first_name: undefined,
          last_name: undefined,
        },
      });
    }),
  );
  const { router } = await renderAt(`/3/hoyry/thanks/?pledge=${id}`);
  expect(await screen.findByText('TK-2026-004183')).toBeVisible();
  // It is a receipt: who sells, the tax, the day and what became of the money; no thanks and no way to the goal.
  expect(
    screen.getByText('Vastikkeen myy ja toimittaa Pielaveden kyläyhdistys. Maksun välitti Talkoot.'),
  ).toBeVisible();
  expect(screen.getByText('sis. alv 25,5 %')).toBeVisible();
  expect(screen.getByText(/Maksettu 20\.11\.2026/)).toBeVisible();
  expect(screen.getByText(/ei täyttynyt, joten saat kaiken takaisin/)).toBeVisible();
  expect(screen.queryByText(/Kiitos|lähempänä/)).not.toBeInTheDocument();
  expect(sent).toEqual([{ token: id.toLowerCase() }]);
  expect(router.state.location).toMatchObject({ pathname: '/support-receipt/', search: '', hash: '' });
});

test('a tab that may not see the pledge any more has the general thanks page', async () => {
  serve(paid);
  server.use(http.get(content('/pledges/:id/'), () => refusal('not_your_order', 403)));
  keep();
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Kiitos, että olet mukana' })).toBeVisible();
});

test('without a pledge there is a general thanks page', async () => {
  serve(paid);
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Kiitos, että olet mukana' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Palaa kampanjaan' })).toHaveAttribute('href', '/3/hoyry/');
});

test('sign-up is offered, filled in, unless the backer is signed in', async () => {
  serve(paid);
  keep();
  const { pointer, unmount } = await renderAt('/3/hoyry/thanks/');
  await pointer.click(await screen.findByRole('button', { name: 'Tee tili' }));
  expect(await screen.findByLabelText('Sukunimi')).toHaveValue('Hakkarainen');
  expect(screen.getByLabelText('Sähköposti')).toHaveValue('leena@example.fi');
  unmount();
  await renderAt('/3/hoyry/thanks/', { user: aUser() });
  await screen.findByText('TK-2026-004183');
  expect(screen.queryByRole('button', { name: 'Tee tili' })).toBeNull();
});

test('a refund because the reward sold out says why', async () => {
  serve({ ...paid, status: 'refunded', refund_reason: 'reward_gone', amount_refunded: 96.5 });
  keep();
  await renderAt('/3/hoyry/thanks/');
  expect(await screen.findByText(/Vastike ehti loppua ennen kuin maksu tuli perille/)).toBeVisible();
  expect(screen.queryByText('Mitä seuraavaksi')).toBeNull();
});

test('the receipt can be printed', async () => {
  serve(paid);
  keep();
  const print = jest.spyOn(window, 'print').mockReturnValue(undefined);
  const { pointer } = await renderAt('/3/hoyry/thanks/');
  await pointer.click(await screen.findByRole('button', { name: 'Tulosta' }));
  expect(print).toHaveBeenCalledTimes(1);
  print.mockRestore();
});

test('a backer’s shared text says so, in the page’s language and through the device’s share sheet', async () => {
  serve(paid);
  keep();
  const share = jest.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  try {
    const { pointer } = await renderAt('/sv/3/hoyry/thanks/');
    await pointer.click(await screen.findByRole('button', { name: 'Be en vän komma med' }));
    await pointer.click(await screen.findByRole('button', { name: 'Fler sätt på den här enheten' }));
    const { title } = aCampaign();
    expect(share).toHaveBeenCalledWith({
      title,
      text: `Jag är med och stöder ${title}. Kom med du också!`,
      url: `${window.location.origin}/sv/3/${aCampaign().slug}/`,
    });
  } finally {
    Reflect.deleteProperty(navigator, 'share');
  }
});
