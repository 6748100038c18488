import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import type { DeskDisputeCase, DeskPayment } from '../../../api/desk';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });
const at = '2026-11-20T10:00:00Z';
const desk = (path: string) => payments(`/api/admin/money/${path}`);
const paymentId = 'p'.repeat(26);

const dispute: DeskDisputeCase['dispute'] = {
  dispute_id: 7,
  payment_id: paymentId,
  provider: 'stripe',
  status: 'open',
  reason: 'product_not_received',
  amount_minor: 9650,
  currency: 'EUR',
  respond_by: '2026-11-28T22:00:00Z',
  opened_at: at,
};

const payment: DeskPayment = {
  payment_id: paymentId,
  subject_kind: 'pledge',
  subject_id: 's'.repeat(26),
  campaign_id: 7,
  title: 'Höyry',
  provider: 'stripe',
  method: 'Visa ···· 4242',
  amount_minor: 9650,
  amount_refunded_minor: 0,
  currency: 'EUR',
  status: 'disputed',
  where: 'contested',
  created_at: at,
  attempts: [],
  refunds: [],
  disputes: [dispute],
  warnings: [],
  anomalies: [],
  ledger: [],
  history: [],
  stops: [],
};

const evidence = {
  customer_name: 'Aino Korhonen',
  customer_email: 'aino@posti.example',
  shipping_address: '',
  shipping_date: '',
  product: 'Höyry: a ticket',
  policy: 'Until the end',
  statement: '2026-11-01: paid',
};

const open = async (one: DeskDisputeCase) => {
  let now = one;
  server.use(
    http.get(desk(`payments/${paymentId}`), () => HttpResponse.json(payment)),
    http.get(desk('disputes/7'), () => HttpResponse.json(now)),
  );
  const { pointer } = await renderAt(`/en/admin/money/payments/${paymentId}/`, { user: admin });
  const box = within(await screen.findByRole('region', { name: 'Dispute of €96.50' }));
  return { pointer, box, becomes: (next: DeskDisputeCase) => (now = next) };
};

test('a bank is answered with what is known and what a person adds, and then the page says who did', async () => {
  const sent: unknown[] = [];
  const { pointer, box, becomes } = await open({ dispute, can: 'yes', asked_again: false, evidence });
  expect(box.getByText('The payer has not got what was bought')).toBeVisible();
  expect(box.getByText(/It takes an answer once, in English, until .*29/)).toBeVisible();
  server.use(
    http.post(desk('disputes/7/evidence'), async ({ request }) => {
      sent.push(await request.json());
      becomes({ dispute, can: 'sent', asked_again: false, evidence, sent_at: at, sent_by: 'Saara Niemi' });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await pointer.click(box.getByRole('button', { name: 'Write the answer' }));
  expect(box.getByLabelText(/^Payer’s name/)).toHaveValue('Aino Korhonen');
  await pointer.click(box.getByLabelText(/^What happened/));
  await pointer.paste(', sent on 2026-11-03');
  await pointer.click(box.getByRole('button', { name: 'Send to the bank' }));
  expect(sent).toEqual([]); // not without a note
  await pointer.click(box.getByLabelText(/^Note/));
  await pointer.paste('The creator has the slip');
  await pointer.click(box.getByRole('button', { name: 'Send to the bank' }));
  expect(await box.findByText(/^Answered .* by Saara Niemi/)).toBeVisible();
  expect(sent).toEqual([
    {
      evidence: { ...evidence, statement: '2026-11-01: paid, sent on 2026-11-03' },
      note: 'The creator has the slip',
    },
  ]);
});

test('an answer that nobody has confirmed is told so, and keeps what was written', async () => {
  const { pointer, box, becomes } = await open({ dispute, can: 'yes', asked_again: false, evidence });
  server.use(
    http.post(desk('disputes/7/evidence'), () => {
      becomes({ dispute, can: 'unknown', asked_again: false, evidence, sent_at: at, sent_by: 'Saara Niemi' });
      return refusal('provider_unavailable', 503);
    }),
  );
  await pointer.click(box.getByRole('button', { name: 'Write the answer' }));
  await pointer.click(box.getByLabelText(/^Note/));
  await pointer.paste('The creator has the slip');
  await pointer.click(box.getByRole('button', { name: 'Send to the bank' }));
  expect(await box.findByText(/has not said that it has it/)).toBeVisible();
  await waitFor(() => expect(box.getByLabelText(/^Note/)).toHaveValue('The creator has the slip'));
  server.use(
    http.post(desk('disputes/7/evidence'), () => {
      becomes({ dispute, can: 'sent', asked_again: false, evidence, sent_at: at, sent_by: 'Saara Niemi' });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await pointer.click(box.getByRole('button', { name: /^Find out/ }));
  expect(await box.findByText(/^Answered/)).toBeVisible();
});

test.each([
  ['decided', /^The bank has decided/],
  ['at_provider', /not connected here/],
] as const)('a dispute that cannot be answered here (%s) says why', async (can, why) => {
  const { box } = await open({ dispute, can, asked_again: false });
  expect(box.getByText(why)).toBeVisible();
  expect(box.queryByRole('button')).toBeNull();
});

test('a reason that has no words here is shown as the provider says it', async () => {
  const { box } = await open({
    dispute: { ...dispute, reason: 'noncompliant' },
    can: 'yes',
    asked_again: false,
  });
  expect(box.getByText('noncompliant')).toBeVisible();
});

test('a bank that asks for more is answered once more, by what it wants', async () => {
  const sent: string[] = [];
  const { pointer, box, becomes } = await open({
    dispute: { ...dispute, provider: 'mangopay' },
    can: 'yes',
    asked_again: true,
    wants: 'Whose signature is on the slip?',
    evidence,
  });
  expect(box.getByText(/asks for more, until .*29/)).toBeVisible();
  expect(box.getByText(/Whose signature is on the slip\?/)).toBeVisible();
  expect(box.queryByText(/takes an answer once/)).toBeNull();
  server.use(
    http.post(desk('disputes/7/evidence'), async ({ request }) => {
      sent.push(((await request.json()) as { evidence: { statement: string } }).evidence.statement);
      becomes({ dispute, can: 'sent', asked_again: true, evidence, sent_at: at, sent_by: 'Ilkka Mäkelä' });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await pointer.click(box.getByRole('button', { name: 'Write the answer' }));
  await pointer.click(box.getByLabelText(/^What happened/));
  await pointer.paste(', signed by the payer');
  await pointer.click(box.getByLabelText(/^Note/));
  await pointer.paste('They asked');
  await pointer.click(box.getByRole('button', { name: 'Send to the bank' }));
  expect(await box.findByText(/^Answered .* by Ilkka Mäkelä/)).toBeVisible();
  expect(box.queryByText(/asks for more/)).toBeNull();
  expect(sent).toEqual(['2026-11-01: paid, signed by the payer']);
});
