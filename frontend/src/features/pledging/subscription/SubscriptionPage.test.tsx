import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { installProvider, type ProviderScript } from '../../../../test/cardForm';
import { cardError, config } from '../../../../test/checkout';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import { aPaying, aRecord, failed, id, serveMonthly } from '../../../../test/subscription';
import { noPageData } from '../../../api/pageData';

jest.setTimeout(30_000);

let provider: ProviderScript;
beforeAll(() => {
  provider = installProvider();
});
beforeEach(() => {
  Object.assign(provider, { isComplete: true, results: [], confirmed: [], amounts: [], formOutcomes: [] });
});
// Their numbers begin again with each app, and the library's list is the browser's.
afterEach(() => notifications.clean());

async function open(address = `/en/subscriptions/${id}/`) {
  const app = await renderAt(address, { page: { ...noPageData(), config } });
  await screen.findByRole('heading', { level: 1, name: 'Kuoro' });
  return app;
}

test('the panel shows what is stored: the next charge, its day, the card and the level', async () => {
  serveMonthly();
  await open();
  const panel = within(screen.getByRole('region', { name: 'Next charge' }));
  expect(panel.getByText('€7.00')).toBeVisible();
  expect(panel.getByText('Sunday 20 December 2026')).toBeVisible();
  expect(panel.getByText('in 30 days, around nine in the morning')).toBeVisible();
  expect(panel.getByText('Visa ···· 4242')).toBeVisible();
  expect(panel.getByText('Second row')).toBeVisible();
  expect(screen.getByText('Since October 2026. 2 charges, €14.00 in all.')).toBeVisible();
  const months = within(screen.getByRole('list', { name: 'Twelve months' }));
  expect(months.getAllByRole('listitem')).toHaveLength(4);
  expect(months.getByRole('listitem', { current: 'step' })).toHaveTextContent(/December.*€7, next/);
});

test('another level is asked for, charged from the next month, and can be let be', async () => {
  const { sent } = serveMonthly();
  const { pointer } = await open();
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
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Skip once' }));
  expect(await screen.findByText('December is skipped')).toBeVisible();
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
  const { pointer } = await open();
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
  await pointer.click(await screen.findByRole('button', { name: 'Resume' }));
  await waitFor(() => expect(sent.changes.at(-1)).toEqual(['POST resume', undefined]));
});

test('a switch says whether one is told before a charge', async () => {
  const { sent } = serveMonthly();
  const { pointer } = await open();
  await pointer.click(screen.getByRole('switch', { name: 'Tell me a day before' }));
  await waitFor(() => expect(sent.changes).toEqual([['POST notices', { notify_before: false }]]));
});

test('a charge has its receipt, which is shown in place, and says at which try it went through', async () => {
  serveMonthly();
  const { pointer } = await open();
  expect(screen.getByText('Visa ···· 4242, went through on try 2')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Receipt TM-2026-001184' }));
  const receipt = within(screen.getByRole('region', { name: 'Receipt' }));
  expect(receipt.getByText('Toinen rivi, November 2026')).toBeVisible();
  expect(receipt.getByText('€0.83')).toBeVisible();
  expect(receipt.getByRole('button', { name: 'Print' })).toBeVisible();
});

test('after a failed charge the form stands first, with the coming tries, and pays that month', async () => {
  const { state } = serveMonthly(aPaying(failed));
  const { pointer } = await open();
  const due = within(screen.getByRole('region', { name: 'December’s €7.00 did not go through' }));
  expect(due.getByText(/We try again on Monday 21 December 2026/)).toBeVisible();
  const tries = within(screen.getByRole('region', { name: 'What happens with December' }));
  expect(tries.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '20 DecTried, the bank said no',
    '21 DecWe try again',
    '23 Dec, 25 Dec, 27 Dec3 more tries',
    '28 DecYour support pauses. No debt.',
  ]);
  const button = await due.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());

  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await pointer.click(button);
  expect(await due.findByRole('alert')).toHaveTextContent(/card was refused|declined|not accept/i);

  state.paying = aPaying();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  expect(provider.confirmed).toEqual([`secret-of-${id}`, `secret-of-${id}`]);
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: /did not go through/ })).not.toBeInTheDocument(),
  );
});

test('while a month is to be paid, nothing says that nothing is charged, and its form alone takes another card', async () => {
  serveMonthly(aPaying(failed));
  await open();
  expect(screen.queryByText(/Nothing is charged/)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Next charge' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Change card' })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a card that pays a month pays the other support too that had the refused one, unless it is not wanted', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { sent, state } = serveMonthly(aPaying({ ...failed, card: shared }));
  const { pointer } = await open();
  const all = screen.getByRole('checkbox', { name: 'Use this card for my other monthly support as well' });
  expect(all).toBeChecked();
  expect(screen.getByText(/this card is charged for it at once/)).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  provider.results = [cardError({ type: 'card_error', code: 'card_declined' })];
  await pointer.click(button);
  await screen.findByRole('alert');
  expect(sent.changes).toEqual([]);
  state.paying = aPaying();
  await pointer.click(button);
  expect(await screen.findByText(/The card is now used for your other support as well/)).toBeVisible();
  expect(sent.changes).toEqual([['PUT card', { all: true }]]);
});

test('when the card could not be given to the other support, the paid month stays paid and it is said', async () => {
  const shared = { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true };
  const { state } = serveMonthly(aPaying({ ...failed, card: shared }));
  server.use(http.put(payments('/api/subscriptions/:id/card'), () => refusal('unavailable', 503)));
  const { pointer } = await open();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  state.paying = aPaying();
  await pointer.click(button);
  expect(await screen.findByText('The change was not saved')).toBeVisible();
  expect(await screen.findByRole('region', { name: 'Next charge' })).toBeVisible();
});

test('a month that has failed for good is paid in its form, and no try is promised any more', async () => {
  const { state } = serveMonthly(
    aPaying({
      ...failed,
      status: 'past_due',
      due: { ...failed.due!, needs_backer: true, coming_tries: [], gives_up_on: undefined },
    }),
  );
  const { pointer } = await open();
  expect(screen.getByText(/Your support has paused/)).toBeVisible();
  expect(screen.queryByText('We try again')).toBeNull();
  expect(screen.getByRole('button', { name: 'Stop supporting' })).toBeVisible();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  state.paying = aPaying();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
});

test('when the connection breaks while paying, the page asks what came of it before it says anything', async () => {
  const { state } = serveMonthly(aPaying(failed));
  const { pointer } = await open();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  provider.results = [
    { then: (_: unknown, reject: (reason: Error) => void) => reject(new Error('lost')) } as never,
  ];
  const charges = aPaying().charges;
  state.paying = aPaying({ charges: [{ ...charges[0]!, period: 3, day: '2026-12-20' }, ...charges] });
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: /did not go through/ })).toBeNull());
});

test('offline the month’s form says so, keeps the card that was typed, and pays on the next press', async () => {
  const { state } = serveMonthly(aPaying(failed));
  server.use(http.post(payments('/api/subscriptions/:id/setup'), () => HttpResponse.error(), { once: true }));
  const { pointer } = await open();
  const button = await screen.findByRole('button', { name: 'Pay €7.00 now' });
  await waitFor(() => expect(button).toBeEnabled());
  await pointer.click(button);
  expect(
    await within(screen.getByRole('region', { name: /did not go through/ })).findByRole('alert'),
  ).toHaveTextContent(/connection/i);
  expect(provider.confirmed).toEqual([]);
  state.paying = aPaying();
  await pointer.click(button);
  expect(await screen.findByText('€7.00 paid. Your support goes on.')).toBeVisible();
});

test('when the bank needs the backer, no tries are promised', async () => {
  serveMonthly(aPaying({ due: { ...failed.due!, needs_backer: true } }));
  await open();
  expect(screen.getByText(/The bank needs you/)).toBeVisible();
  expect(screen.queryByText('We try again')).toBeNull();
});

test('another card is saved without a charge and taken into use, for all if wanted', async () => {
  const { sent } = serveMonthly(
    aPaying({ card: { label: 'Visa ···· 4242', expires: '2029-09', is_shared: true } }),
  );
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Change card' }));
  expect(
    await screen.findByRole('checkbox', { name: 'Use this card for my other monthly support as well' }),
  ).toBeChecked();
  const save = await screen.findByRole('button', { name: 'Save card' });
  await waitFor(() => expect(save).toBeEnabled());
  await pointer.click(save);
  expect(await screen.findByText('The card is changed')).toBeVisible();
  expect(provider.confirmed).toEqual(['secret-of-card']);
  expect(sent.changes).toEqual([['PUT card', { setup_intent: 'seti_1', all: true }]]);
});

test('while a charge is on its way the page asks again until it is known', async () => {
  const { state } = serveMonthly(
    aPaying({
      due: {
        ...failed.due!,
        payment: { payment_id: 'p', status: 'processing', amount_minor: 700, currency: 'EUR' },
      },
    }),
  );
  await open();
  expect(screen.getByText(/The bank is confirming the payment/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  state.paying = aPaying();
  await waitFor(() => expect(screen.queryByText(/The bank is confirming/)).toBeNull(), { timeout: 5_000 });
});

test('a refused change says so, and what is stored stays', async () => {
  serveMonthly();
  const { pointer } = await open();
  server.use(http.post(payments('/api/subscriptions/:id/skip'), () => refusal('internal_error', 500)));
  await pointer.click(screen.getByRole('button', { name: 'Skip once' }));
  expect(await screen.findByText('The change was not saved')).toBeVisible();
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
  await open();
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
  const { pointer } = await renderAt(`/en/subscriptions/${id}/`);
  const retry = await screen.findByRole('button', { name: /Try again/ });
  isDown = false;
  await pointer.click(retry);
  expect(await screen.findByRole('region', { name: 'Next charge' })).toBeVisible();
});
