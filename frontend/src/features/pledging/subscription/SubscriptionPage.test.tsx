import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import { aPaying, aRecord, id, serveMonthly } from '../../../../test/subscription';
import {
  afterDoublePress,
  openOwnSupport,
  openSupport,
  otherId,
  scriptedProvider,
} from '../../../../test/supportPage';

jest.setTimeout(30_000);

const provider = scriptedProvider();

test('the panel shows what is stored: the next charge, its day, the card and the level', async () => {
  serveMonthly();
  await openSupport();
  const panel = within(screen.getByRole('region', { name: 'Next charge' }));
  expect(panel.getByText('€7.00')).toBeVisible();
  expect(panel.getByText('Sunday 20 December 2026')).toBeVisible();
  expect(panel.getByText('in 30 days, around nine in the morning')).toBeVisible();
  expect(panel.getByText('Visa ···· 4242')).toBeVisible();
  expect(panel.getByText('valid to 09/29')).toBeVisible();
  expect(panel.getByText('Second row')).toBeVisible();
  expect(screen.getByText('Since October 2026. 2 charges, €14.00 in all.')).toBeVisible();
  const months = within(screen.getByRole('list', { name: 'Twelve months' }));
  expect(months.getAllByRole('listitem')).toHaveLength(4);
  expect(months.getByRole('listitem', { current: 'step' })).toHaveTextContent(/December.*€7, next/);
});

test('below the panel are all coming charges in the money calendar', async () => {
  serveMonthly();
  await openSupport();
  expect(screen.getByRole('link', { name: 'All coming charges in the money calendar' })).toHaveAttribute(
    'href',
    '/en/profile/me/calendar/',
  );
});

test('another level is asked for, charged from the next month, and can be let be', async () => {
  const { sent } = serveMonthly();
  const { pointer } = await openSupport();
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  expect(screen.getByText(/On 20 Dec your card is charged/)).toHaveTextContent('€15.00 instead of €7.00');
  await pointer.click(screen.getByRole('button', { name: 'Keep €7.00' }));
  expect(screen.getByRole('radio', { name: /Toinen rivi/ })).toBeChecked();
  await pointer.click(screen.getByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  expect(await screen.findByText('Your support is €15.00 a month')).toBeVisible();
  expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]);
});

test('skip names the month, pause the month that is charged again', async () => {
  const { sent } = serveMonthly();
  const { pointer } = await openSupport();
  await pointer.click(screen.getByRole('button', { name: 'Skip once' }));
  expect(await screen.findByText('December is skipped')).toBeVisible();
  await afterDoublePress();
  await pointer.selectOptions(screen.getByLabelText('Until'), '20 Feb 2027');
  await pointer.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(sent.changes).toHaveLength(2));
  expect(sent.changes).toEqual([
    ['POST skip', { period: 3 }],
    ['POST pause', { until_period: 5 }],
  ]);
});

test('stopping asks first, offers to skip instead, and can be let be', async () => {
  const { sent, state } = serveMonthly();
  const { pointer } = await openSupport();
  await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop supporting Kuoro?' }));
  expect(dialog.getByRole('button', { name: 'Skip December instead' })).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Keep going' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.changes).toEqual([]);

  await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
  state.paying = aPaying({ ends_on: '2026-12-19', next_charge: undefined });
  await pointer.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop supporting' }),
  );
  expect(await screen.findByText('Your support ends on 19 Dec. Nothing more is charged.')).toBeVisible();
  expect(sent.changes).toEqual([['POST cancel', {}]]);
  const resume = await screen.findByRole('button', { name: 'Resume' });
  await afterDoublePress();
  await pointer.click(resume);
  await waitFor(() => expect(sent.changes.at(-1)).toEqual(['POST resume', undefined]));
});

test('a switch says whether one is told before a charge', async () => {
  const { sent } = serveMonthly();
  const { pointer } = await openSupport();
  await pointer.click(screen.getByRole('switch', { name: 'Tell me a day before' }));
  await waitFor(() => expect(sent.changes).toEqual([['POST notices', { notify_before: false }]]));
});

test('a charge has its receipt, which is shown in place, and says at which try it went through', async () => {
  serveMonthly();
  const { pointer } = await openSupport();
  expect(screen.getByText('Visa ···· 4242, went through on try 2')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Receipt TM-2026-001184' }));
  const receipt = within(screen.getByRole('region', { name: 'Receipt' }));
  expect(receipt.getByText('Toinen rivi, November 2026')).toBeVisible();
  expect(receipt.getByText('€0.83')).toBeVisible();
  expect(receipt.getByRole('button', { name: 'Print' })).toBeVisible();
});

test('another card is saved without a charge and taken into use, for all if wanted', async () => {
  const { sent } = serveMonthly(
    aPaying({ card: { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true } }),
  );
  const { pointer } = await openOwnSupport();
  await pointer.click(screen.getByRole('button', { name: 'Change card' }));
  expect(
    await screen.findByRole('checkbox', {
      name: 'Use this card also for my other support that the old card pays',
    }),
  ).toBeChecked();
  const save = await screen.findByRole('button', { name: 'Save card' });
  await waitFor(() => expect(save).toBeEnabled());
  await pointer.click(save);
  expect(await screen.findByText('The card is changed')).toBeVisible();
  expect(provider.confirmed).toEqual(['secret-of-card']);
  expect(sent.changes).toEqual([['PUT card', { setup_intent: 'seti_1', also: [otherId] }]]);
});

test('when the answer to saving a card is lost, it is not known whether it was, and that is asked until it is', async () => {
  const { sent } = serveMonthly();
  let isDown = true;
  server.use(
    http.put(payments('/api/subscriptions/:id/card'), () => (isDown ? HttpResponse.error() : undefined)),
  );
  const { pointer } = await openSupport();
  await pointer.click(screen.getByRole('button', { name: 'Change card' }));
  const save = await screen.findByRole('button', { name: 'Save card' });
  await waitFor(() => expect(save).toBeEnabled());
  await pointer.click(save);
  expect(await screen.findByText(/^We do not know yet whether the card was saved/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save card' })).toBeNull();
  isDown = false;
  await pointer.click(screen.getByRole('button', { name: 'Ask now' }));
  expect(await screen.findByText('The card is changed')).toBeVisible();
  expect(sent.changes).toEqual([['PUT card', { setup_intent: 'seti_1', also: [] }]]);
  expect(provider.confirmed).toEqual(['secret-of-card']);
});

test('a refused change says so, and what is stored stays', async () => {
  serveMonthly();
  const { pointer } = await openSupport();
  server.use(http.post(payments('/api/subscriptions/:id/skip'), () => refusal('internal_error', 500)));
  await pointer.click(screen.getByRole('button', { name: 'Skip once' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^The change was not saved/);
  expect(screen.getByRole('button', { name: 'Skip once' })).toBeVisible();
});

test('one that has ended says why, offers nothing but its receipts, and to begin again', async () => {
  serveMonthly(
    aPaying({
      status: 'canceled',
      meta: { language: 'fi', ended_because: 'campaign_closed' },
      next_charge: undefined,
      months: [],
    }),
    aRecord({ status: 'canceled' }),
  );
  await openSupport();
  expect(screen.getByText(/Your support has ended.*The campaign was closed/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Support again' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Stop supporting' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Receipt TM-2026-001184' })).toBeVisible();
});

test('a service that does not answer has a retry', async () => {
  serveMonthly();
  let isDown = true;
  server.use(
    http.get(payments('/api/subscriptions/:id'), () =>
      isDown ? refusal('unavailable', 503) : HttpResponse.json({ subscription: aPaying() }),
    ),
  );
  const { pointer } = await renderAt(`/en/subscriptions/${id}/`, { user: aUser() });
  const retry = await screen.findByRole('button', { name: /Try again/ });
  isDown = false;
  await pointer.click(retry);
  expect(await screen.findByRole('region', { name: 'Next charge' })).toBeVisible();
});

test('an id that nobody has is the not-found page', async () => {
  serveMonthly();
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.get(content('/v2/subscriptions/:id/'), () => refusal('not_found', 404)));
  server.use(http.get(payments('/api/subscriptions/:id'), () => refusal('not_found', 404)));
  await renderAt(`/en/subscriptions/${id}/`, { user: aUser() });
  expect(await screen.findByText(/404/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
});

test('the receipt of a month says the rule of monthly support', async () => {
  serveMonthly();
  const { pointer } = await openSupport();
  await pointer.click(screen.getByRole('button', { name: 'Receipt TM-2026-001184' }));
  expect(screen.getByText(/The same sum is charged every month until you change or stop it\./)).toBeVisible();
});

test.each([
  ['a guest', undefined],
  ['somebody else', aUser()],
])(
  '%s is told how the support opens, and has the links mailed; the answer is always the same',
  async (_, user) => {
    serveMonthly();
    const sent: unknown[] = [];
    server.use(
      http.get(content('/v2/subscriptions/:id/'), () => refusal('not_your_order', 403)),
      http.get(payments('/api/subscriptions/:id'), () => refusal('not_your_order', 403)),
      http.post(content('/order-links/'), async ({ request }) => {
        sent.push(await request.json());
        return new HttpResponse(null, { status: 202 });
      }),
    );
    const { pointer } = await renderAt(`/en/subscriptions/${id}/`, { user });
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Your support opens for you' }),
    ).toBeVisible();
    await pointer.click(screen.getByRole('button', { name: 'Send the links' }));
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('This is needed.');
    await pointer.fill(screen.getByLabelText('Email'), ' leena@example.fi {Enter}');
    expect(await screen.findByText('If the address has pledges, the links are on their way.')).toBeVisible();
    expect(sent).toEqual([{ email: 'leena@example.fi', language: 'en' }]);
  },
);

test('a large raise asks who one is, and goes on with what was chosen', async () => {
  serveMonthly();
  const asked: unknown[] = [];
  let isConfirmed = false;
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), async ({ request }) => {
      asked.push(await request.json());
      if (!isConfirmed) return refusal('confirmation_required', 403);
      return HttpResponse.json({
        subscription: aPaying({ next_level: { amount_minor: 1500, from_period: 3 } }),
      });
    }),
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({ has_password: true, email_confirmed: true, passkeys: [], backup_codes_left: 0 }),
    ),
    http.post(content('/users/me/confirmations/'), () => {
      isConfirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt(`/en/subscriptions/${id}/`, { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  await pointer.fill(await screen.findByLabelText('Password'), 'seven grey stones{Enter}');
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual(asked[0]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
