import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { payments, refusal, server } from '../../../../test/server';
import {
  aPaidDecember,
  aPaying,
  aRecord,
  failed,
  serveMonthly,
  settling,
} from '../../../../test/subscription';
import { openSupport, scriptedProvider } from '../../../../test/supportPage';

jest.setTimeout(30_000);

scriptedProvider();

/** December is being charged, and nothing has been answered yet: no month is due, and none is next. */
const charging = () => {
  const { charges, months } = aPaying();
  return aPaying({
    next_charge: undefined,
    charges: [
      { period: 3, day: '2026-12-20', status: 'processing', amount_minor: 700, amount_refunded_minor: 0 },
      ...charges,
    ],
    months: months.map((one) => (one.period === 3 ? { ...one, state: 'processing' } : one)),
  });
};

test('a month that is being charged is on its way: nothing says that it failed, and nobody is asked to pay', async () => {
  serveMonthly(charging());
  const { pointer } = await openSupport();
  expect(screen.getByText(/The month is being charged\. You need not do anything/)).toBeVisible();
  expect(screen.queryByText(/did not go through/)).toBeNull();
  expect(screen.queryByText(/The bank is confirming/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  expect(screen.getByText('Being charged')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Change card' }));
  expect(await screen.findByText(/The new card is used from the next charge\./)).toBeVisible();
  expect(screen.queryByText(/Nothing is charged now/)).toBeNull();
});

test('while a month is being charged, another level counts from the one after it', async () => {
  serveMonthly(charging());
  await openSupport();
  const change = await screen.findByRole('region', { name: 'Change your support' });
  expect(change).toHaveTextContent(
    /A change counts from 20 Jan.* The month that is to be paid stays as it is\./,
  );
});

test.each([
  ['it is paid', aPaidDecember(), /Next charge/],
  ['it is refused', aPaying(failed), /did not go through/],
])('the page asks until a month that is being charged is answered: %s', async (_, then, region) => {
  const { state } = serveMonthly(charging());
  let isDown = true;
  let looks = 0;
  server.use(
    http.get(payments('/api/subscriptions/:id/payment'), () => {
      looks += 1;
      return isDown ? refusal('unavailable', 503) : undefined;
    }),
  );
  await openSupport();
  await waitFor(() => expect(looks).toBe(1), { timeout: 5_000 });
  expect(screen.getByText(/The month is being charged/)).toBeVisible();
  isDown = false;
  state.paying = then;
  expect(await screen.findByRole('region', { name: region }, { timeout: 10_000 })).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/The month is being charged/)).toBeNull());
  expect(within(screen.getByRole('list', { name: 'Twelve months' })).queryByText(/on its way/)).toBeNull();
});

test('a first month that its bank has is being confirmed: nothing says that it is unpaid, and nobody is asked to pay', async () => {
  serveMonthly(aPaying(settling), aRecord({ status: 'created', charges: [] }));
  await openSupport();
  expect(screen.getByText(/The bank is confirming the payment\. This page tells/)).toBeVisible();
  expect(screen.getByText('Being charged')).toBeVisible();
  expect(screen.queryByText(/not paid yet|left unfinished|No charges yet/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
});
