import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import type { DeskAnomaly, DeskOverview, DeskPayment, DeskRun } from '../../../api/desk';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });
const at = '2026-11-20T10:00:00Z';
const desk = (path: string) => payments(`/api/admin/money/${path}`);
const paymentId = 'p'.repeat(26);
const runId = 'r'.repeat(26);

const anOverview = (overrides: Partial<DeskOverview> = {}): DeskOverview => ({
  operator: 'Saara Niemi',
  anomalies: [{ what: 'held_money', count: 2, oldest_at: at }],
  runs: [],
  refunds: [{ what: 'failed', count: 0 }],
  disputes: [],
  warnings: [],
  webhooks: { stored_today: 12, failed: 3, waiting: 3, oldest_at: at },
  queues: [{ what: 'events', count: 0 }],
  providers: [{ provider: 'stripe', is_on: true }],
  ...overrides,
});

const aPaymentRow = {
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
  status: 'succeeded',
  where: 'held' as const,
  created_at: at,
};

const aRun = (overrides: Partial<DeskRun> = {}): DeskRun => ({
  run_id: runId,
  campaign_id: 7,
  title: 'Höyry',
  provider: 'mangopay',
  number: 1,
  state: 'proposed',
  currency: 'EUR',
  lines: 1,
  gross_minor: 510000,
  fee_minor: 25500,
  vat_minor: 5181,
  reserve_minor: 25500,
  released_minor: 0,
  net_minor: 459000,
  offset_minor: 0,
  bank_kept_minor: 0,
  reversed_minor: 0,
  proposed_by: 'Saara Niemi',
  needed: 2,
  approvals: 0,
  created_at: at,
  hash: 'abcdef0123456789',
  version: 1,
  booked: 0,
  left: 0,
  approved_by: [],
  steps: [{ event: 'begun', to: 'counting', actor: 'Saara Niemi', note: 'Päättyi hyvin', at }],
  moves: [],
  can_approve: 'yes',
  ...overrides,
});

const anAnomaly = (overrides: Partial<DeskAnomaly> = {}): DeskAnomaly => ({
  anomaly_id: 12,
  kind: 'held_money',
  provider: 'stripe',
  reference: 'ch_1',
  payment_id: paymentId,
  detail: { expected: '45.00 EUR' },
  found_at: at,
  seen_at: at,
  times: 1,
  ...overrides,
});

beforeEach(() =>
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
  ),
);

test('the desk is for admins alone, and has no pages but its own', async () => {
  const { unmount } = await renderAt('/admin/money/', { user: aUser() });
  expect(await screen.findByText('Tämä on vain ylläpitäjille.')).toBeVisible();
  unmount();
  await renderAt('/admin/money/secrets/', { user: admin });
  expect(await screen.findByRole('heading', { name: 'Tätä sivua ei löydy' })).toBeVisible();
});

test('what waits is told with its count, and what a word leads to; the word is in no address', async () => {
  const asked: unknown[] = [];
  server.use(
    http.get(desk('overview'), () => HttpResponse.json(anOverview())),
    http.post(desk('search'), async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ read_as: 'email', payments: [aPaymentRow], runs: [] });
    }),
  );
  const { pointer, router } = await renderAt('/admin/money/', { user: admin });
  const waits = within(await screen.findByRole('region', { name: /^Ei täsmää 2/ }));
  expect(waits.getByRole('link', { name: 'Veloitus ei sovi maksuunsa' })).toBeVisible();
  expect(screen.getByText('Toimit nimellä Saara Niemi.')).toBeVisible();
  const field = screen.getByRole('searchbox', { name: /^Maksu, tuki/ });
  await pointer.click(field);
  await pointer.paste('aino@example.com');
  await pointer.keyboard('{Enter}');
  const row = within(await screen.findByRole('row', { name: /Höyry/ }));
  expect(row.getByText('Tallessa')).toBeVisible();
  expect(asked).toEqual([{ word: 'aino@example.com' }]);
  expect(router.state.location.search).toBe('');
});

test('disputes say why in words, and those that wait for a bank alone come last', async () => {
  const dispute: DeskOverview['disputes'][number] = {
    dispute_id: 1,
    payment_id: paymentId,
    provider: 'stripe',
    status: 'open',
    reason: 'fraudulent',
    amount_minor: 3100,
    currency: 'EUR',
    respond_by: at,
    opened_at: at,
  };
  const disputes = [
    { ...dispute, evidence_at: at },
    { ...dispute, dispute_id: 2 },
    { ...dispute, dispute_id: 3, provider: 'mangopay', reason: '' },
  ];
  server.use(http.get(desk('overview'), () => HttpResponse.json(anOverview({ disputes }))));
  await renderAt('/admin/money/', { user: admin });
  const list = within(await screen.findByRole('region', { name: /^Riidat/ }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Palvelu A \(Stripe\) · Kortinhaltija ei tiedä maksusta31,00/),
    expect.stringMatching(/Palvelu B \(Mangopay\)31,00/),
    expect.stringMatching(/^Vastattu/),
  ]);
});

test('who is no operator is told that they only look', async () => {
  server.use(http.get(desk('overview'), () => HttpResponse.json(anOverview({ operator: undefined }))));
  await renderAt('/admin/money/', { user: admin });
  expect(await screen.findByText(/^Vain katselu:/)).toBeVisible();
});

test('a payment says where its money is, what has happened and what is in the ledger', async () => {
  const payment: DeskPayment = {
    ...aPaymentRow,
    stops: [
      { stop: 'promised', at },
      { stop: 'charged', at },
      { stop: 'held', at },
      { stop: 'approved' },
      { stop: 'sent' },
      { stop: 'arrived' },
    ],
    history: [
      { at, what: 'status_succeeded', detail: 'webhook' },
      { at, what: 'anomaly_found', detail: 'held_money' },
      { at, what: 'unheard_of' },
    ],
    attempts: [
      {
        provider: 'stripe',
        method: 'card',
        status: 'succeeded',
        charge_ref: 'ch_1',
        amount_minor: 9650,
        currency: 'EUR',
        declines: 0,
        created_at: at,
      },
    ],
    refunds: [],
    disputes: [],
    warnings: [],
    ledger: [
      {
        kind: 'charge',
        happened_at: at,
        booked_at: at,
        legs: [
          { account: 'provider_clearing', amount_minor: 9650, currency: 'EUR' },
          { account: 'backer_funds', amount_minor: -9650, currency: 'EUR' },
        ],
      },
    ],
    anomalies: [anAnomaly()],
  };
  server.use(http.get(desk(`payments/${paymentId}`), () => HttpResponse.json(payment)));
  await renderAt(`/admin/money/payments/${paymentId}/`, { user: admin });
  const approved = await screen.findByText('Hyväksytty');
  expect(approved.closest('li')).toHaveAttribute('data-state', 'ahead');
  expect(screen.getByRole('listitem', { current: 'step' })).toHaveTextContent('Tallessa');
  expect(screen.getByText('Tukijoiden rahat')).toBeVisible();
  expect(screen.getByText('unheard_of')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Veloitus ei sovi maksuunsa' })).toHaveAttribute(
    'href',
    '/admin/money/anomalies/12/',
  );
});

test('an anomaly is closed with a note only, and what the rules refuse is said in the dialog', async () => {
  const notes: unknown[] = [];
  let refuses = true;
  server.use(
    http.get(desk('anomalies/12'), () =>
      HttpResponse.json(anAnomaly(refuses ? {} : { closed_at: at, closed_by: 'Saara Niemi', note: 'Selvä' })),
    ),
    http.post(desk('anomalies/12/mended'), async ({ request }) => {
      notes.push(await request.json());
      if (refuses) return refusal('money_stands_apart', 409);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt('/admin/money/anomalies/12/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Merkitse selvitetyksi' }));
  const dialog = within(await screen.findByRole('dialog'));
  const press = () => pointer.click(dialog.getByRole('button', { name: 'Merkitse selvitetyksi' }));
  await press();
  expect(await dialog.findByText('Tämä tarvitaan.')).toBeVisible();
  expect(notes).toEqual([]);
  await pointer.click(dialog.getByLabelText('Selitys kirjanpitoon'));
  await pointer.paste('Katsottu');
  await press();
  expect(await dialog.findByText(/Raha on vielä erillään/)).toBeVisible();
  refuses = false;
  await press();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(notes).toEqual([{ note: 'Katsottu' }, { note: 'Katsottu' }]);
  expect(await screen.findByText(/Saara Niemi selvitti/)).toBeVisible();
});

const lines = http.get(desk(`runs/${runId}/lines`), () =>
  HttpResponse.json({
    total: 51,
    lines: [
      {
        charge_ref: 'ch_1',
        payment_id: paymentId,
        method: 'Visa ···· 4242',
        gross_minor: 510000,
        fee_minor: 25500,
        vat_minor: 5181,
        reserve_minor: 25500,
        net_minor: 459000,
        state: 'waits',
      },
    ],
  }),
);

test('a run is approved by the hash that was seen', async () => {
  const sent: unknown[] = [];
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () => HttpResponse.json(aRun())),
    http.post(desk(`runs/${runId}/approval`), async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Approve €4,590.00' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByLabelText('Note for the accountants'));
  await pointer.paste('Looked at it');
  await pointer.click(dialog.getByRole('button', { name: 'Approve €4,590.00' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ hash: 'abcdef0123456789', note: 'Looked at it' }]);
});

test('a run of a month says which, and what was kept back earlier and goes out with it', async () => {
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () =>
      HttpResponse.json(aRun({ month: '2026-10', released_minor: 10000, net_minor: 469000 })),
    ),
  );
  await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  expect(await screen.findByRole('heading', { name: 'Höyry' })).toBeVisible();
  expect(screen.getByText(/^Settlement 1, October 2026, 1 line/)).toBeVisible();
  const released = screen.getByText('From earlier: released, or restored by a debt that ended');
  expect(released.nextSibling).toHaveTextContent('€100.00');
});

test('a payout that came back with less says what came, and what its creator bears', async () => {
  const back = { kind: 'payout', number: 1, amount_minor: 459000, fee_minor: 0, state: 'returned', at };
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () =>
      HttpResponse.json(
        aRun({
          state: 'sent',
          bank_kept_minor: 1500,
          moves: [{ ...back, ref: 'po_1', returned_minor: 457500 }],
        }),
      ),
    ),
  );
  await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  expect(await screen.findByText('€4,575.00 came back')).toBeVisible();
  expect(screen.getByText('Kept by banks, the creator bears it').nextSibling).toHaveTextContent('-€15.00');
  expect(screen.getAllByText('€4,575.00')).toHaveLength(2);
});

test('what was taken back of a transfer is said in words, with its sum, and is not the creator’s any more', async () => {
  const back = { kind: 'reversal', number: 1, amount_minor: 285000, fee_minor: 0, state: 'done', at };
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () =>
      HttpResponse.json(aRun({ state: 'sent', reversed_minor: 285000, moves: [{ ...back, ref: 'trr_1' }] })),
    ),
  );
  await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  expect(
    await screen.findByText(/^Taken back from the creator’s account at the provider, €2,850.00/),
  ).toBeVisible();
  expect(screen.getByText('Taken back from the creator’s account').nextSibling).toHaveTextContent(
    '-€2,850.00',
  );
});

const refused = { kind: 'transfer', number: 1, amount_minor: 459000, fee_minor: 0, state: 'refused', at };

test.each<[string, Partial<DeskRun>, string[]]>([
  ['waits for its second person', { state: 'proposed' }, ['passed', 'passed', 'now', 'ahead', 'ahead']],
  ['is sent', { state: 'sending', approvals: 2 }, ['passed', 'passed', 'now', 'ahead']],
  [
    'waits on the way',
    { state: 'approved', approvals: 2, reason: 'no_account' },
    ['passed', 'passed', 'now', 'ahead'],
  ],
  [
    'was refused on the way',
    { state: 'sending', approvals: 2, reason: 'provider_refused', moves: [refused] },
    ['passed', 'passed', 'failed', 'ahead'],
  ],
  ['has arrived', { state: 'paid', approvals: 2 }, ['passed', 'passed', 'passed', 'passed']],
])('how far a run has come is a line of stops: one that %s', async (_, changes, states) => {
  const approved = [{ actor: 'Ilkka Mäkelä', at, note: 'Katsottu' }];
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () =>
      HttpResponse.json(aRun({ approvals: 1, approved_by: approved, ...changes })),
    ),
  );
  await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  const stops = within(await screen.findByRole('list', { name: 'Where the money is' })).getAllByRole(
    'listitem',
  );
  expect(stops.map((stop) => stop.dataset.state)).toEqual(states);
  expect(stops[1]).toHaveTextContent('Ilkka Mäkelä approved');
});

test.each([
  ['own_proposal', /^You proposed this/],
  ['own_money', /^This money is for you/],
  ['not_operator', /^You only look/],
  ['approved_already', /^You have approved this/],
] as const)('who cannot approve (%s) reads why, and has no button', async (can, why) => {
  server.use(
    lines,
    http.get(desk(`runs/${runId}`), () => HttpResponse.json(aRun({ can_approve: can }))),
  );
  await renderAt(`/en/admin/money/runs/${runId}/`, { user: admin });
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
});

test('the journal and the value added tax of the days that were chosen are saved as sheets', async () => {
  const asked: string[] = [];
  server.use(
    ...['journal', 'vat'].map((sheet) =>
      http.get(desk(sheet), ({ request }) => {
        const { pathname, search } = new URL(request.url);
        asked.push(`${pathname.split('/').at(-1) ?? ''}${search}`);
        return new HttpResponse(`of ${sheet}`, { headers: { 'Content-Type': 'text/csv' } });
      }),
    ),
  );
  const saved: Blob[] = [];
  URL.createObjectURL = (file) => {
    saved.push(file as Blob);
    return 'blob:sheet';
  };
  URL.revokeObjectURL = () => undefined;
  const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { pointer } = await renderAt('/en/admin/money/journal/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Get the CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await pointer.click(screen.getByLabelText('Value added tax'));
  expect(screen.getByText(/for the tax return/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Get the CSV' }));
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(asked.map((one) => one.split('?')[0])).toEqual(['journal', 'vat']);
  expect(asked[1]).toMatch(/\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/);
  clicked.mockRestore();
});

test('the tax report of a year is taken with why, and says why it is not given', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(desk('tax-report'), async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? refusal('not_operator', 403)
        : new HttpResponse('Tili;Myyjä', { headers: { 'Content-Type': 'text/csv' } });
    }),
  );
  const saved: Blob[] = [];
  URL.createObjectURL = (file) => {
    saved.push(file as Blob);
    return 'blob:sheet';
  };
  URL.revokeObjectURL = () => undefined;
  const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { pointer } = await renderAt('/en/admin/money/journal/', { user: admin });
  await pointer.click(await screen.findByLabelText('Tax report (DAC7)'));
  await pointer.click(screen.getByRole('button', { name: 'Get the CSV' }));
  expect(screen.getByLabelText(/^Note/)).toHaveAccessibleDescription(/This is needed/);
  fireEvent.change(screen.getByLabelText('Year'), { target: { value: '2026' } });
  await pointer.fill(screen.getByLabelText(/^Note/), 'The yearly report');
  await pointer.click(screen.getByRole('button', { name: 'Get the CSV' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(saved).toHaveLength(0);
  await pointer.click(screen.getByRole('button', { name: 'Get the CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(sent[1]).toEqual({ year: 2026, note: 'The yearly report' });
  clicked.mockRestore();
});
