import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, payments, refusal, server } from '../../../../test/server';
import {
  aPaying,
  aRecord,
  failed,
  limited,
  overLimit,
  serveLimits,
  serveMonthly,
  settling,
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

const front = {
  reward_id: 3,
  title: { fi: 'Eturivi', en: 'Front row' },
  description: { fi: 'Kaikki ja oma paikka.' },
};
const fromDecember = aPaying({ next_level: { amount_minor: 1500, reward: front, from_period: 3 } });
const changing = () => aRecord({ next_amount: 15, next_reward_id: 3, next_reward_title: 'Eturivi' });

test('a level that counts later is named with its day beside the one that counts now, and is what is changed next', async () => {
  const { sent } = serveMonthly(fromDecember);
  serveOwn(changing());
  const { pointer } = await renderAt(address, { user: aUser() });
  const row = within((await screen.findByRole('heading', { name: 'Kuoro' })).closest('li')!);
  expect(row.getByText('€7.00 a month').parentElement).toHaveTextContent('€7.00 a month · Toinen rivi');
  expect(row.getByText('€15.00 a month').parentElement).toHaveTextContent(
    'From 20 Dec €15.00 a month · Eturivi',
  );
  await pointer.click(screen.getByRole('button', { name: 'Change: Kuoro' }));
  expect(await screen.findByRole('radio', { name: /Eturivi/ })).toBeChecked();
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  await pointer.click(
    within(await screen.findByRole('dialog', { name: sure })).getByRole('button', { name: /^Change to/ }),
  );
  await waitFor(() => expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]));
});

test('a change that is taken back is gone from the row before the list has heard of it', async () => {
  const { state } = serveMonthly(fromDecember);
  serveOwn(changing());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /Toinen rivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €7.00 a month' }));
  const dialog = within(await screen.findByRole('dialog', { name: sure }));
  state.paying = aPaying();
  await pointer.click(dialog.getByRole('button', { name: 'Change to €7.00 a month' }));
  expect(await screen.findByText('Your support is €7.00 a month')).toBeVisible();
  expect(screen.queryByText('€15.00 a month')).toBeNull();
});

test('whoever changes the level is told when which amount is charged', async () => {
  serveMonthly();
  serveOwn(aRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  expect(await screen.findByRole('dialog', { name: sure })).toHaveTextContent(
    'Nothing is charged now. On 20 Dec your card is charged €15.00 instead of €7.00.',
  );
});

test.each([
  ['its day has come', '2026-11-20', 'your card is charged at once'],
  ['its day is still to come', '2026-12-20', 'your card is charged on 20 Dec'],
])('of a month that waits for an answer nothing is promised when %s', async (_, day, words) => {
  serveMonthly(aPaying({ held: { ...held, day }, next_charge: undefined }));
  serveOwn(aHeldRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /Nuottien/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €4.00 a month' }));
  const dialog = await screen.findByRole('dialog', { name: sure });
  expect(dialog).toHaveTextContent(
    `If €4.00 fits within your limit, ${words}. If not, the month goes on waiting for your answer.`,
  );
  expect(dialog).not.toHaveTextContent('Nothing is charged now');
});

test.each([
  [
    'what is paid has not run out',
    {},
    'The paid month runs to 19 Dec. No questions, no more charges. The €7.00 planned for 20 Dec will not be charged.',
  ],
  ['a month is to be paid', failed, 'Your support ends at once. Nothing more is charged.'],
])('whoever stops while %s is told until when it lasts', async (_, state, words) => {
  serveMonthly(aPaying(state));
  serveOwn(aRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Stop: Kuoro' }));
  const dialog = await screen.findByRole('dialog', { name: sure });
  await waitFor(() => expect(dialog).toHaveTextContent(words));
});

test('a change that is not made says why in the dialog, and what was typed stays, also after No', async () => {
  const { sent } = serveMonthly();
  serveOwn(aRecord());
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => HttpResponse.error(), { once: true }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Change: Kuoro' }));
  await pointer.click(await screen.findByRole('radio', { name: /own amount/ }));
  const field = screen.getByRole('textbox');
  await pointer.clear(field);
  await pointer.type(field, '12.50');
  await pointer.click(screen.getByRole('button', { name: 'Change to €12.50 a month' }));
  const dialog = within(await screen.findByRole('dialog', { name: sure }));
  await pointer.click(dialog.getByRole('button', { name: 'Change to €12.50 a month' }));
  await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent(/^The change was not saved\. ./));
  await pointer.click(dialog.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await pointer.click(screen.getByRole('button', { name: 'Change: Kuoro' }));
  expect(await screen.findByRole('radio', { name: /own amount/ })).toBeChecked();
  expect(screen.getByRole('textbox')).toHaveValue('12.50');
  await pointer.click(screen.getByRole('button', { name: 'Change to €12.50 a month' }));
  const again = within(await screen.findByRole('dialog', { name: sure }));
  expect(again.getByRole('alert')).toBeEmptyDOMElement();
  await pointer.click(again.getByRole('button', { name: 'Change to €12.50 a month' }));
  expect(await screen.findByText('Your support is €12.50 a month')).toBeVisible();
  expect(sent.changes).toEqual([['POST modify-level', { amount: 12.5, reward_id: null }]]);
});

test('after a support is stopped its title has the focus', async () => {
  const { state } = serveMonthly();
  serveOwn(aRecord());
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Stop: Kuoro' }));
  const dialog = within(await screen.findByRole('dialog', { name: sure }));
  state.paying = aPaying({ ends_on: '2026-12-19', next_charge: undefined });
  await pointer.click(dialog.getByRole('button', { name: 'Stop supporting' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('heading', { name: 'Kuoro' })).toHaveFocus();
});

test.each([
  [
    'its bank has the first month',
    () => HttpResponse.json({ subscription: aPaying(settling) }),
    /The bank is confirming the payment/,
  ],
  [
    'its first month is not paid',
    () => HttpResponse.json({ subscription: aPaying({ status: 'created', charges: [] }) }),
    /Not paid yet/,
  ],
  ['it was never begun', () => refusal('not_found', 404), /Not paid yet/],
])('one that has not begun says how its payment stands: %s', async (_, answer, text) => {
  serveMonthly();
  serveOwn(aRecord({ status: 'created', charges: [] }));
  server.use(http.get(payments('/api/subscriptions/:id'), answer));
  await renderAt(address, { user: aUser() });
  expect(await screen.findByText(text)).toBeVisible();
});

test('nothing is told to be unpaid while that is not known', async () => {
  serveMonthly();
  serveOwn(aRecord({ status: 'created', charges: [] }));
  let asked = 0;
  server.use(
    http.get(payments('/api/subscriptions/:id'), () => {
      asked += 1;
      return refusal('unavailable', 503);
    }),
  );
  await renderAt(address, { user: aUser() });
  expect(await screen.findByRole('link', { name: 'Kuoro' })).toBeVisible();
  await waitFor(() => expect(asked).toBeGreaterThan(0));
  expect(screen.queryByText('Not paid yet')).toBeNull();
});
