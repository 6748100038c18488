import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import { aPaying, aRecord, serveMonthly } from '../../../../test/subscription';
import type { Subscription } from '../../../api/subscriptions';

jest.setTimeout(30_000);

/** Serves the list, whose answers are counted. */
function serveOwn(...subscriptions: Subscription[]) {
  const seen = { lists: 0 };
  server.use(
    http.get(content('/users/me/subscriptions/:language/'), () => {
      seen.lists += 1;
      return HttpResponse.json({ subscriptions, total: subscriptions.length });
    }),
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
  );
  return seen;
}

const address = '/en/profile/me/subscriptions/';
const sure = 'This action cannot be undone, are you sure?';

test('cancel asks whether one is sure, ends it, and reads the list again', async () => {
  const { sent, state } = serveMonthly();
  const seen = serveOwn(aRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Stop: Kuoro' }));
  const dialog = within(await screen.findByRole('dialog', { name: sure }));
  await pointer.click(dialog.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.changes).toEqual([]);

  const before = seen.lists;
  state.paying = aPaying({ ends_on: '2026-12-19', next_charge: undefined });
  await pointer.click(screen.getByRole('button', { name: 'Stop: Kuoro' }));
  await pointer.click(
    within(await screen.findByRole('dialog', { name: sure })).getByRole('button', {
      name: 'Stop supporting',
    }),
  );
  expect(await screen.findByText('Ends on 19 Dec')).toBeVisible();
  expect(sent.changes).toEqual([['POST cancel', {}]]);
  await waitFor(() => expect(seen.lists).toBeGreaterThan(before));
  expect(screen.queryByRole('button', { name: 'Stop: Kuoro' })).toBeNull();
});

test('modify asks for a level, and then whether one is sure', async () => {
  const { sent, state } = serveMonthly();
  serveOwn(aRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  expect(await screen.findByText('€7.00 a month')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  state.paying = aPaying({ next_level: { amount_minor: 1500, from_period: 3 } });
  await pointer.click(
    within(await screen.findByRole('dialog', { name: sure })).getByRole('button', {
      name: 'Change to €15.00 a month',
    }),
  );
  expect(await screen.findByText('€15.00 a month')).toBeVisible();
  expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]);
});

test('without any it says so', async () => {
  serveOwn();
  await renderAt(address, { user: aUser() });
  expect(await screen.findByText('You do not support anything monthly yet')).toBeVisible();
});

test('whoever is not signed in is asked to', async () => {
  await renderAt(address);
  expect(await screen.findByText('Sign in to see your monthly support')).toBeVisible();
});
