import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import {
  aPaying,
  aRecord,
  limited,
  overLimit,
  serveLimits,
  serveMonthly,
} from '../../../../test/subscription';
import type { Subscription } from '../../../api/subscriptions';

jest.setTimeout(30_000);

// Their numbers begin again with each app, and the library's list is the browser's.
afterEach(() => notifications.clean());

/** Serves the list, whose answers are counted. */
function serveOwn(...subscriptions: Subscription[]) {
  const seen = { lists: 0, subscriptions };
  server.use(
    http.get(content('/users/me/subscriptions/:language/'), () => {
      seen.lists += 1;
      return HttpResponse.json({ subscriptions: seen.subscriptions, total: subscriptions.length });
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

const held = { period: 3, day: '2026-12-20', amount_minor: 700, limit_minor: 4000, total_minor: 4350 };
const aHeldRecord = () => aRecord({ held_on: '2026-12-20', next_charge_on: undefined });

test('a held month is named in the list, with its two ways on', async () => {
  const { sent, state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  serveOwn(aHeldRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  const box = within(await screen.findByRole('region', { name: 'December’s €7.00 waits for your answer' }));
  expect(screen.getByText('Waits for your answer')).toBeVisible();
  expect(box.getByRole('button', { name: 'Raise the limit to €44' })).toBeVisible();
  state.paying = aPaying();
  await pointer.click(box.getByRole('button', { name: 'Skip December' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
  expect(sent.changes).toEqual([['POST skip', { period: 3 }]]);
  expect(screen.getByText('Going on')).toBeVisible();
});

test('a level over the limit is asked about in its row', async () => {
  const { sent } = serveMonthly();
  serveOwn(aRecord());
  serveLimits(limited(40));
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => overLimit(4000, 4350), { once: true }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  await pointer.click(
    within(await screen.findByRole('dialog', { name: sure })).getByRole('button', {
      name: 'Change to €15.00 a month',
    }),
  );
  await pointer.click(await screen.findByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('Your support is €15.00 a month')).toBeVisible();
  expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]);
});

test('a raised limit lets the held months of the list go, also where the list knows it first', async () => {
  const { state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  const seen = serveOwn(aHeldRecord());
  serveLimits(limited(40));
  const { pointer } = await renderAt(address, { user: aUser() });
  const raise = await screen.findByRole('button', { name: 'Raise the limit to €44' });
  seen.subscriptions = [aRecord()];
  state.paying = aPaying();
  await pointer.click(raise);
  expect(await screen.findByText('December’s €7.00 is charged on 20 Dec')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
  expect(await screen.findByText('Going on')).toBeVisible();
});

test('all held months of the list are read again when the limit is raised for one', async () => {
  const reads: string[] = [];
  const state = { isRaised: false };
  serveMonthly();
  serveOwn(aHeldRecord(), aRecord({ subscription_id: 'other', held_on: '2026-12-21' }));
  serveLimits(limited(40));
  server.use(
    http.get(payments('/api/subscriptions/:id'), ({ params }) => {
      reads.push(String(params.id));
      const still = { ...held, total_minor: params.id === 'other' ? 4400 : 4350 };
      return HttpResponse.json({ subscription: aPaying({ held: state.isRaised ? undefined : still }) });
    }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Raise the limit/ })).toHaveLength(2));
  state.isRaised = true;
  await pointer.click(screen.getAllByRole('button', { name: 'Raise the limit to €44' })[0]!);
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
  expect(reads.filter((one) => one === 'other').length).toBeGreaterThan(1);
});

test('a held month that cannot be read says so, and can be tried again', async () => {
  serveMonthly(aPaying({ held, next_charge: undefined }));
  serveOwn(aHeldRecord());
  server.use(http.get(payments('/api/subscriptions/:id'), () => refusal('unavailable', 503), { once: true }));
  const { pointer } = await renderAt(address, { user: aUser() });
  expect(await screen.findByText('The month that waits for your answer could not be read')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'December’s €7.00 waits for your answer' })).toBeVisible();
});

test('a raised limit stores the level that was refused, not one that was let be meanwhile', async () => {
  const { sent } = serveMonthly();
  serveOwn(aRecord());
  serveLimits(limited(40));
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => overLimit(4000, 4350), { once: true }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  const choose = async (level: RegExp, button: string) => {
    await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
    await pointer.click(await screen.findByRole('radio', { name: level }));
    await pointer.click(screen.getByRole('button', { name: button }));
    return within(await screen.findByRole('dialog', { name: sure }));
  };
  const first = await choose(/Eturivi/, 'Change to €15.00 a month');
  await pointer.click(first.getByRole('button', { name: 'Change to €15.00 a month' }));
  await screen.findByRole('button', { name: 'Raise the limit to €44' });
  const second = await choose(/Nuottien/, 'Change to €4.00 a month');
  await pointer.click(second.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await pointer.click(screen.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('Your support is €15.00 a month')).toBeVisible();
  expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]);
});
