import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayment, aUser } from '../../../../test/builders';
import { aPayIn, serveB, type AnswersOfB } from '../../../../test/providerB';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import { id, serve } from '../../../../test/thanks';

// Polls are at least a second apart.
jest.setTimeout(60_000);

beforeEach(() => jest.spyOn(console, 'warn').mockReturnValue(undefined));
afterEach(() => {
  window.sessionStorage.clear();
  jest.restoreAllMocks();
});

const address = `/payment-return/?pledge=${id}&debit=2026-11-20&MandateId=mdt_1`;

/** Serves the pledge, its payment, which there is once it was debited, and provider B. */
function serveDebit(answers: AnswersOfB = {}, before?: HttpResponse<never> | ReturnType<typeof refusal>) {
  serve({ status: 'awaiting_payment', amount: 96.5 });
  const sent = serveB(answers);
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      sent.of('payin-direct-debit').length > 0 || before === undefined
        ? HttpResponse.json({ payment: aPayment({ pledge_id: id, status: 'processing' }) })
        : before.clone(),
    ),
  );
  return sent;
}
const noPayment = () => refusal('not_found', 404);

test('the return from a bank debits the account once, and tells when the money leaves', async () => {
  const sent = serveDebit({}, noPayment());
  const { router } = await renderAt(address);
  expect(await screen.findByRole('heading', { level: 1, name: /^Pankki vahvistaa 96,50/ })).toBeVisible();
  expect(screen.getByText(/Raha lähtee tililtäsi 24\.–27\.11\./)).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Matkalla');
  expect(sent.of('payin-direct-debit')).toEqual([{ pledgeId: id, mandateId: 'mdt_1' }]);
  expect(sent.calls[0]?.key).toBe('debit-mdt_1');
  expect(router.state.location.pathname).toBe('/payment-return/');
  expect(screen.queryByRole('button', { name: /maksa/i })).toBeNull();
});

test('opened a second time it debits nothing', async () => {
  const sent = serveDebit();
  await renderAt(address);
  expect(await screen.findByText('Matkalla')).toBeVisible();
  expect(sent.calls).toEqual([]);
});

test('what the address says of a mandate decides nothing: without one nothing is debited', async () => {
  const sent = serveDebit({}, noPayment());
  await renderAt(`/payment-return/?pledge=${id}&debit=2026-11-20`);
  expect(
    await screen.findByRole('heading', { name: /^Valtuutusta ei vahvistettu\. Mitään ei/ }),
  ).toBeVisible();
  expect(sent.calls).toEqual([]);
});

test('a mandate that its bank reports a moment later is debited then', async () => {
  let tries = 0;
  const sent = serveDebit(
    {
      'payin-direct-debit': () => {
        tries += 1;
        return tries < 2
          ? refusal('mandate_not_confirmed', 409)
          : { payin: aPayIn({ Status: 'CREATED' }), payment: aPayment({ status: 'processing' }) };
      },
    },
    noPayment(),
  );
  // Until it is debited there is no payment.
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      tries < 2
        ? noPayment()
        : HttpResponse.json({ payment: aPayment({ pledge_id: id, status: 'processing' }) }),
    ),
  );
  await renderAt(address);
  expect(await screen.findByText('Matkalla', {}, { timeout: 10_000 })).toBeVisible();
  expect(sent.of('payin-direct-debit')).toHaveLength(2);
});

test('a mandate that was refused leads back to the form, which says that nothing was debited', async () => {
  serveDebit({ 'payin-direct-debit': () => refusal('mandate_not_confirmed', 409) });
  server.use(http.get(payments(`/api/pledges/${id}/payment`), () => noPayment()));
  const { router, pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('link', { name: 'Yritä uudelleen' }, { timeout: 15_000 }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/pledge/'));
  expect((await screen.findAllByText(/ennen kuin valtuutus on vahvistettu/))[0]).toBeVisible();
});

test('somebody else’s debit is not made, and nothing is said of it but that it was not made from here', async () => {
  serveDebit({ 'payin-direct-debit': () => refusal('not_your_order', 403) });
  server.use(http.get(payments(`/api/pledges/${id}/payment`), () => noPayment()));
  await renderAt(address);
  expect(await screen.findByRole('heading', { name: 'Tämä selain ei näe, miten maksu meni' })).toBeVisible();
  expect(screen.getByText(/Tältä sivulta tiliäsi ei ole veloitettu/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Yritä uudelleen' })).toBeNull();
});

test('a browser that has lost who pays sends them to their mail, and does not invite them to pay again', async () => {
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () => refusal('not_your_order', 403)),
    http.get(content(`/pledges/${id}/`), () => refusal('not_your_order', 403)),
  );
  await renderAt(`/payment-return/?pledge=${id}`);
  expect(await screen.findByText(/vahvistus tulee sähköpostiisi muutamassa minuutissa/)).toBeVisible();
  expect(screen.getByText(/Älä maksa uudelleen, ennen kuin/)).toBeVisible();
});

test('a debit whose answer is lost is unknown: it is asked about, never offered again, and debited once', async () => {
  let isDown = true;
  const sent = serveDebit({
    'payin-direct-debit': () =>
      isDown
        ? HttpResponse.error()
        : { payin: aPayIn({ Status: 'CREATED' }), payment: aPayment({ status: 'processing' }) },
  });
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      isDown
        ? noPayment()
        : HttpResponse.json({ payment: aPayment({ pledge_id: id, status: 'processing' }) }),
    ),
  );
  const { pointer } = await renderAt(address);
  expect(await screen.findByText('Älä maksa uudelleen.')).toBeVisible();
  expect(screen.queryByText(/ei mennyt läpi|Mitään ei veloitettu/)).toBeNull();
  isDown = false;
  await pointer.click(screen.getByRole('button', { name: 'Kysy nyt' }));
  expect(await screen.findByText('Matkalla')).toBeVisible();
  expect(new Set(sent.calls.map(({ key }) => key))).toEqual(new Set(['debit-mdt_1']));
});

test('the return of a card that its bank has confirmed goes by the service’s word alone', async () => {
  serve({ status: 'paid', amount: 96.5, receipt_number: 'TK-2026-004183' });
  server.use(
    http.get(payments(`/api/pledges/${id}/payment`), () =>
      HttpResponse.json({ payment: aPayment({ pledge_id: id, status: 'succeeded' }) }),
    ),
  );
  const { router } = await renderAt(`/payment-return/?pledge=${id}&transactionId=payin_other`);
  expect(await screen.findByText('TK-2026-004183', {}, { timeout: 10_000 })).toBeVisible();
  expect(router.state.location.search).toBe('');
});
