import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { choir, inCrowns, magazine, openCalendar, tried } from '../../../../test/moneyCalendar';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import { serveLimits } from '../../../../test/subscription';
import type { CalendarSupport } from '../../../api/subscriptions';

// The menu beside the page shows one's picture, when it can be read.
beforeEach(() => {
  server.use(http.get(content('/users/me/profile'), () => refusal('unavailable', 503)));
  serveLimits();
});

test('the page begins with the month of the next charge: its charges, their sum, and the way to change each', async () => {
  await openCalendar([choir, magazine]);
  expect(await screen.findByText('€13.50', { selector: 'b' })).toBeVisible();
  expect(screen.getByText(/goes to 2 campaigns/)).toHaveTextContent(
    'In December €13.50 goes to 2 campaigns.',
  );
  const month = within(screen.getByRole('region', { name: 'December 2026' }));
  const rows = month.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows).toEqual([
    'SiikalehtiSun 6 Dec · Visa ···· 4242€6.50Change',
    'KuoroSun 20 Dec · Visa ···· 4242€7.00Change',
  ]);
  expect(month.getByText('December 2026 in all').parentElement).toHaveTextContent('€13.50');
  expect(month.getByRole('link', { name: 'Change the support of Kuoro' })).toHaveAttribute(
    'href',
    '/en/subscriptions/01JD0000000000000000000001/',
  );
});

test('bars tell each month in words; what did not go through is counted until it is paid or left out', async () => {
  const { pointer } = await openCalendar([choir, magazine]);
  const bars = within(await screen.findByRole('region', { name: 'Month by month' }));
  const [, october, november, december, january] = ['', ...bars.getAllByRole('listitem').slice(1)].map(
    (bar) => (typeof bar === 'string' ? bar : bar.textContent),
  );
  expect([october, november, december, january]).toEqual([
    'OctOctober 2026 €7',
    'NovNovember 2026 €13.50',
    'DecDecember 2026 €13.50',
    'JanJanuary 2027 €15',
  ]);
  await pointer.click(screen.getByRole('button', { name: 'Previous month' }));
  const month = within(screen.getByRole('region', { name: 'November 2026' }));
  expect(month.getByText('Did not go through')).toBeVisible();
  expect(month.getByText('November 2026 in all').parentElement).toHaveTextContent('€13.50');
  expect(month.getByText('Of this, €6.50 did not go through')).toBeVisible();
});

test('a failed month stands on its own day and on that of its next try, where it is counted', async () => {
  const { pointer } = await openCalendar([choir, tried]);
  expect(await screen.findByText(/goes to 2 campaigns/)).toHaveTextContent(
    'In December €20.00 goes to 2 campaigns.',
  );
  const rows = (month: string) =>
    within(screen.getByRole('region', { name: month }))
      .getAllByRole('listitem')
      .map((row) => row.textContent);
  expect(rows('December 2026')).toEqual([
    'SiikalehtiWed 2 Dec · Visa ···· 4242Tried again€6.50Change',
    'SiikalehtiSun 6 Dec · Visa ···· 4242€6.50Change',
    'KuoroSun 20 Dec · Visa ···· 4242€7.00Change',
  ]);
  const bars = within(screen.getByRole('region', { name: 'Month by month' }));
  const sums = bars.getAllByRole('listitem').map((bar) => bar.textContent);
  expect(sums).toEqual(expect.arrayContaining(['NovNovember 2026 €7', 'DecDecember 2026 €20']));
  await pointer.click(screen.getByRole('button', { name: 'Previous month' }));
  expect(rows('November 2026')).toEqual([
    'SiikalehtiFri 6 Nov · tried again Wed 2 DecDid not go throughChange',
    'KuoroFri 20 Nov · Visa ···· 4242€7.00Change',
  ]);
  const month = within(screen.getByRole('region', { name: 'November 2026' }));
  expect(month.getByText('November 2026 in all').parentElement).toHaveTextContent(/€7\.00$/);
  expect(month.queryByText(/Of this/)).toBeNull();
});

test('each currency is counted for itself', async () => {
  await openCalendar([choir, inCrowns]);
  expect(await screen.findByText(/^€7\.00 \+ SEK\s100\.00$/, { selector: 'b' })).toBeVisible();
});

test('without monthly support the page says so, and the feed is not offered', async () => {
  await openCalendar([]);
  expect(await screen.findByText('There are no charges in the calendar')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create a calendar link' })).not.toBeInTheDocument();
});

test('a feed that is on can be turned off when nothing is charged any more', async () => {
  const { pointer } = await openCalendar([], 'https://talkoot.test/content/users/calendars/first/');
  expect(await screen.findByText('There are no charges in the calendar')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull());
  expect(screen.getByRole('heading', { name: 'Monthly limit' })).toHaveFocus();
});

test('sums have whole cents, and support of one campaign twice goes to one campaign', async () => {
  const of = (subscription_id: string, amount: number): CalendarSupport => ({
    ...choir,
    subscription_id,
    charges: [{ period: 2, day: '2026-12-20', amount, state: 'coming' }],
  });
  await openCalendar([
    of('01JD0000000000000000000001', 6.18),
    of('01JD0000000000000000000002', 12.69),
    of('01JD0000000000000000000003', 8.13),
  ]);
  expect(await screen.findByText(/goes to 1 campaign/)).toHaveTextContent('€27.00');
  const bars = within(screen.getByRole('region', { name: 'Month by month' }));
  expect(bars.getByText('€27')).toBeVisible();
});

test('when a month has charged and charges no more, that is what is said', async () => {
  await openCalendar([
    { ...choir, charges: [{ period: 2, day: '2026-11-20', amount: 7, state: 'charged' }] },
  ]);
  expect(await screen.findByText('Nothing more is charged in November.')).toBeVisible();
});

test('the feed gets an address, another one, and is turned off, whenever the calendar is read again', async () => {
  const { pointer } = await openCalendar([choir]);
  server.use(http.get(content('/users/me/money-calendar/en/'), () => delay('infinite')));
  await pointer.click(await screen.findByRole('button', { name: 'Create a calendar link' }));
  expect(await screen.findByDisplayValue(/calendars\/first/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Change the address' }));
  expect(await screen.findByDisplayValue(/calendars\/new/)).toBeVisible();
  expect(screen.getByText('The feed has a new address. The former one works no more.')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('The feed is off')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'In your own calendar' })).toHaveFocus();
  server.use(http.put(content('/users/me/calendar-feed/'), () => refusal('unavailable', 503)));
  await pointer.click(await screen.findByRole('button', { name: 'Create a calendar link' }));
  expect(await screen.findByText(/The feed was not changed\./)).toBeVisible();
});

test('a calendar that cannot be read can be tried again', async () => {
  server.use(
    http.get(content('/users/me/money-calendar/en/'), () => refusal('unavailable', 503), { once: true }),
    http.get(content('/users/me/money-calendar/en/'), () =>
      HttpResponse.json({ today: '2026-11-21', supports: [choir] }),
    ),
  );
  const { pointer } = await renderAt('/en/profile/me/calendar/', { user: aUser() });
  await screen.findByText('The calendar could not be read');
  await pointer.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'December 2026' })).toBeVisible();
});

test('the button at the top leads to the feed', async () => {
  const { pointer } = await openCalendar([choir]);
  await pointer.click(await screen.findByRole('button', { name: 'To my calendar' }));
  expect(screen.getByRole('heading', { name: 'In your own calendar' })).toHaveFocus();
});
