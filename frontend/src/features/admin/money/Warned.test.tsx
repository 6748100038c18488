import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import type { DeskOverview, DeskPayment, DeskWarningCase } from '../../../api/desk';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });
const at = '2026-11-20T10:00:00Z';
const desk = (path: string) => payments(`/api/admin/money/${path}`);
const paymentId = 'p'.repeat(26);

const warning: DeskWarningCase['warning'] = {
  warning_id: 7,
  payment_id: paymentId,
  provider: 'stripe',
  status: 'open',
  reason: 'made_with_stolen_card',
  title: 'Höyry',
  campaign_id: 7,
  method: 'Visa ···· 5423',
  amount_minor: 9650,
  currency: 'EUR',
  opened_at: at,
  held_until: '2026-11-27T10:00:00Z',
};

const payment: DeskPayment = {
  payment_id: paymentId,
  subject_kind: 'pledge',
  subject_id: 's'.repeat(26),
  campaign_id: 7,
  title: 'Höyry',
  provider: 'stripe',
  method: 'Visa ···· 5423',
  amount_minor: 9650,
  amount_refunded_minor: 0,
  currency: 'EUR',
  status: 'succeeded',
  where: 'held',
  created_at: at,
  attempts: [],
  refunds: [],
  disputes: [],
  warnings: [warning],
  anomalies: [],
  ledger: [],
  history: [{ at, what: 'warning_opened', detail: 'made_with_stolen_card' }],
  stops: [],
};

const open = async (one: Partial<DeskWarningCase>, of: Partial<DeskPayment> = {}) => {
  let now: DeskWarningCase = {
    warning,
    payer_name: 'Aino Korhonen',
    payer_email: 'aino@posti.example',
    left_minor: 9650,
    creator_minor: 0,
    can_reopen: false,
    support: [],
    ...one,
  };
  server.use(
    http.get(desk(`payments/${paymentId}`), () => HttpResponse.json({ ...payment, ...of })),
    http.get(desk('warnings/7'), () => HttpResponse.json(now)),
  );
  const { pointer } = await renderAt(`/en/admin/money/payments/${paymentId}/`, { user: admin });
  const box = within(await screen.findByRole('region', { name: 'Reported as fraud, €96.50' }));
  const becomes = (status: string) => (now = { ...now, warning: { ...warning, status }, left_minor: 0 });
  return { pointer, box, becomes };
};

test('what was reported as fraud is refunded with a note, and then the page says so', async () => {
  const sent: unknown[] = [];
  const { pointer, box, becomes } = await open({});
  expect(box.getByText('Paid with a stolen card')).toBeVisible();
  expect(box.getByText('Aino Korhonen, aino@posti.example')).toBeVisible();
  expect(screen.getByText('The cardholder reported the charge as fraud')).toBeVisible();
  server.use(
    http.post(desk('warnings/7/refund'), async ({ request }) => {
      sent.push(await request.json());
      becomes('refunded');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await pointer.click(box.getByRole('button', { name: 'Refund €96.50' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Refund €96.50 to the payer?' }));
  await pointer.click(asked.getByRole('button', { name: 'Refund all of it' }));
  expect(sent).toEqual([]); // not without a note
  await pointer.click(asked.getByLabelText(/^Note/));
  await pointer.paste('The payer does not know of it');
  await pointer.click(asked.getByRole('button', { name: 'Refund all of it' }));
  expect(await box.findByText('All of it has been refunded, or is on its way.')).toBeVisible();
  expect(sent).toEqual([{ note: 'The payer does not know of it', end_support: false }]);
  expect(box.queryByRole('button')).toBeNull();
});

test('what a refund costs the creator, and that monthly support ends, is said before the press', async () => {
  const { pointer, box } = await open({ creator_minor: 8000 }, { subject_kind: 'subscription', period: 2 });
  expect(box.getByText(/^€80.00 of it is settled to the creator/)).toBeVisible();
  await pointer.click(box.getByRole('button', { name: 'Refund €96.50' }));
  const asked = within(await screen.findByRole('dialog'));
  expect(asked.getByText(/^€80.00 of it is settled to the creator/)).toBeVisible();
  expect(asked.getByText(/^The monthly support ends with it/)).toBeVisible();
});

test('who dismisses a warning that is over hears so, and keeps the note', async () => {
  const { pointer, box } = await open({});
  server.use(http.post(desk('warnings/7/dismissal'), () => refusal('not_possible_now', 409)));
  await pointer.click(box.getByRole('button', { name: 'Leave it as it is' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Leave the charge as it is?' }));
  await pointer.click(asked.getByLabelText(/^Note/));
  await pointer.paste('The payer has called: it was them');
  await pointer.click(asked.getByRole('button', { name: 'Leave it' }));
  await waitFor(() => expect(asked.getByLabelText(/^Note/)).toBeInvalid());
  expect(asked.getByLabelText(/^Note/)).toHaveAccessibleDescription(/./);
  expect(asked.getByLabelText(/^Note/)).toHaveValue('The payer has called: it was them');
});

test('support with the same card is said before the press, and ended with it when that is ticked', async () => {
  const sent: unknown[] = [];
  const { pointer, box, becomes } = await open({
    support: [{ title: 'Kuoro', amount_minor: 700, currency: 'EUR' }],
  });
  server.use(
    http.post(desk('warnings/7/refund'), async ({ request }) => {
      sent.push(await request.json());
      becomes('refunded');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  expect(box.getByText(/^The same account supports Kuoro with this card, €7.00 a month/)).toBeVisible();
  await pointer.click(box.getByRole('button', { name: 'Refund €96.50' }));
  const asked = within(await screen.findByRole('dialog'));
  const choice = asked.getByRole('checkbox', { name: 'End this monthly support, too' });
  expect(choice).not.toBeChecked();
  await pointer.click(choice);
  await pointer.click(asked.getByLabelText(/^Note/));
  await pointer.paste('The payer does not know of it');
  await pointer.click(asked.getByRole('button', { name: 'Refund all of it' }));
  expect(await box.findByText('All of it has been refunded, or is on its way.')).toBeVisible();
  expect(sent).toEqual([{ note: 'The payer does not know of it', end_support: true }]);
});

test('what was left as it is can be decided anew, with a note', async () => {
  const sent: unknown[] = [];
  const { pointer, box, becomes } = await open({
    warning: { ...warning, status: 'dismissed' },
    can_reopen: true,
  });
  server.use(
    http.post(desk('warnings/7/reopening'), async ({ request }) => {
      sent.push(await request.json());
      becomes('open');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await pointer.click(box.getByRole('button', { name: 'Decide anew' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Decide about the charge anew?' }));
  await pointer.click(asked.getByLabelText(/^Note/));
  await pointer.paste('A second card was reported, too');
  await pointer.click(asked.getByRole('button', { name: 'Open it again' }));
  expect(await box.findByRole('button', { name: 'Leave it as it is' })).toBeVisible();
  expect(sent).toEqual([{ note: 'A second card was reported, too' }]);
});

test('the desk lists what waits, with its reason and sum', async () => {
  const overview: DeskOverview = {
    operator: 'Saara Niemi',
    anomalies: [],
    runs: [],
    refunds: [],
    disputes: [],
    warnings: [warning, { ...warning, warning_id: 8, reason: 'a_new_word' }],
    webhooks: { stored_today: 0, failed: 0, waiting: 0 },
    queues: [],
    providers: [],
  };
  server.use(http.get(desk('overview'), () => HttpResponse.json(overview)));
  await renderAt('/en/admin/money/', { user: admin });
  const list = within(await screen.findByRole('region', { name: 'Reported as fraud 2' }));
  expect(list.getByRole('link', { name: 'Paid with a stolen card' })).toHaveAttribute(
    'href',
    `/en/admin/money/payments/${paymentId}/`,
  );
  expect(list.getByRole('link', { name: 'a_new_word' })).toBeVisible(); // of the provider's own
  expect(list.getAllByText('€96.50')).toHaveLength(2);
});
