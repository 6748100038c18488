import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { choir, magazine, openCalendar, paused, withHeld, tried } from '../../../../test/moneyCalendar';
import { content, payments, refusal, server } from '../../../../test/server';
import { aPaying, limited, serveLimits } from '../../../../test/subscription';

// The menu beside the page shows one's picture, when it can be read.
beforeEach(() => {
  server.use(http.get(content('/users/me/profile'), () => refusal('unavailable', 503)));
  serveLimits();
});
// Their numbers begin again with each app, and the library's list is the browser's.
afterEach(() => notifications.clean());

test('the limit is a line with its name over the bars, and a month above it says so', async () => {
  serveLimits(limited(10));
  await openCalendar([choir, { ...magazine, charges: magazine.charges.slice(1) }]);
  const bars = within(await screen.findByRole('region', { name: 'Month by month' }));
  expect(await bars.findByText('Your limit, €10 a month')).toBeVisible();
  const texts = bars.getAllByRole('listitem').map((bar) => bar.textContent);
  expect(texts).toContain('DecDecember 2026 €13.50, over the limit');
  expect(texts).toContain('NovNovember 2026 €7');
});

test('the first month that would cross the limit says by how much and of which support; raising is to whole euros', async () => {
  const sent = serveLimits(limited(10));
  const { pointer } = await openCalendar([choir, magazine]);
  const box = await screen.findByRole('region', { name: /would go over your limit/ });
  expect(box).toHaveTextContent('From December on, €3.50 would go over your limit');
  expect(box).toHaveTextContent('Kuoro: €7.00 would be charged on 20 Dec.');
  expect(box).toHaveTextContent('What goes over is not charged before you decide.');
  await pointer.dblClick(within(box).getByRole('button', { name: 'Raise the limit to €14' }));
  // In January it is still crossed, by the change of level.
  expect(
    await screen.findByRole('region', { name: 'In January, €1.00 would go over your limit' }),
  ).toBeVisible();
  expect(sent).toEqual([['PUT', 'EUR', { amount: 14, counts_pledges: false }]]);
});

test('what did not go through counts against the limit in the bar, in its words and in the box alike', async () => {
  serveLimits(limited(10));
  const coming = {
    ...choir,
    charges: [{ period: 2, day: '2026-11-28', amount: 7, state: 'coming' as const }],
  };
  await openCalendar([coming, { ...magazine, charges: magazine.charges.slice(0, 1) }]);
  expect(
    await screen.findByRole('region', { name: 'In November, €3.50 would go over your limit' }),
  ).toBeVisible();
  const bars = within(screen.getByRole('region', { name: 'Month by month' }));
  expect(bars.getAllByRole('listitem').map((bar) => bar.textContent)).toContain(
    'NovNovember 2026 €13.50, over the limit',
  );
  const month = within(screen.getByRole('region', { name: 'November 2026' }));
  expect(month.getByText('November 2026 in all').parentElement).toHaveTextContent('€13.50');
});

test('a looser limit asks who it is, and is set once that is shown; who closes the question keeps the limit', async () => {
  serveLimits(limited(10));
  let isConfirmed = false;
  const asked: string[] = [];
  const unlessConfirmed = ({ request }: { request: Request }) => {
    asked.push(request.method);
    return isConfirmed ? undefined : refusal('confirmation_required', 403);
  };
  server.use(
    http.put(content('/users/me/spending-limits/EUR/'), unlessConfirmed),
    http.delete(content('/users/me/spending-limits/EUR/'), unlessConfirmed),
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({ has_password: true, passkeys: [], backup_codes_left: 0 }),
    ),
    http.post(content('/users/me/confirmations/'), () => {
      isConfirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await openCalendar([{ ...choir, charges: choir.charges.slice(0, 3) }, magazine]);
  await pointer.click(await screen.findByRole('button', { name: 'Raise the limit to €14' }));
  await screen.findByLabelText('Password');
  await pointer.keyboard('{Escape}');
  expect(await screen.findByText(/Confirm first that it is you/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Raise the limit to €14' }));
  await pointer.fill(await screen.findByLabelText('Password'), 'seven grey stones{Enter}');
  expect(await screen.findByText('Your limit is now €14.00 a month')).toBeVisible();
  expect(asked).toEqual(['PUT', 'PUT', 'PUT']);
});

test('a raise in the box says what the limit is now, and the heading before it has the focus', async () => {
  serveLimits(limited(10));
  const { pointer } = await openCalendar([{ ...choir, charges: choir.charges.slice(0, 3) }, magazine]);
  await pointer.click(await screen.findByRole('button', { name: 'Raise the limit to €14' }));
  expect(await screen.findByText('Your limit is now €14.00 a month')).toBeVisible();
  expect(screen.queryByRole('region', { name: /would go over/ })).toBeNull();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('a coming month is skipped, and leaves the bars before the calendar has heard of it', async () => {
  serveLimits(limited(10));
  const sent: unknown[] = [];
  server.use(
    http.post(payments('/api/subscriptions/:id/skip'), async ({ params, request }) => {
      sent.push([params.id, await request.json()]);
      return HttpResponse.json({ subscription: aPaying({ id: choir.subscription_id }) });
    }),
  );
  const one = { ...choir, charges: choir.charges.slice(0, 3) };
  const { pointer } = await openCalendar([one, magazine]);
  const box = within(
    await screen.findByRole('region', { name: 'In December, €3.50 would go over your limit' }),
  );
  await pointer.click(box.getByRole('button', { name: 'Skip December' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /would go over/ })).toBeNull());
  expect(sent).toEqual([[choir.subscription_id, { period: 3 }]]);
  const bars = within(screen.getByRole('region', { name: 'Month by month' })).getAllByRole('listitem');
  expect(bars.map((bar) => bar.textContent)).toContain('DecDecember 2026 €6.50');
});

test('what is tried again in another month counts in that month, before what comes', async () => {
  serveLimits(limited(14));
  await openCalendar([{ ...choir, charges: choir.charges.slice(0, 3) }, tried]);
  expect(
    await screen.findByRole('region', { name: 'In December, €6.00 would go over your limit' }),
  ).toBeVisible();
});

test('a pause that ends goes on for three months', async () => {
  serveLimits(limited(20));
  const sent: unknown[] = [];
  server.use(
    http.post(payments('/api/subscriptions/:id/pause'), async ({ params, request }) => {
      sent.push([params.id, await request.json()]);
      return HttpResponse.json({ subscription: aPaying({ status: 'paused', paused_until: '2027-04-03' }) });
    }),
  );
  const { pointer } = await openCalendar([choir, paused]);
  const box = await screen.findByRole('region', { name: 'In January, €12.00 would go over your limit' });
  expect(box).toHaveTextContent('Kurkipelto: the pause ends, and €17.00 would be charged on 3 Jan.');
  await pointer.click(within(box).getByRole('button', { name: 'Go on pausing' }));
  expect(await screen.findByText('The pause goes on. The next charge is on 3 Apr 2027.')).toBeVisible();
  expect(sent).toEqual([[paused.subscription_id, { until_period: 8 }]]);
  expect(screen.queryByRole('region', { name: /would go over/ })).toBeNull();
});

test('a refused choice says why in the box, which stays', async () => {
  serveLimits(limited(20));
  server.use(http.post(payments('/api/subscriptions/:id/pause'), () => refusal('unavailable', 503)));
  const { pointer } = await openCalendar([choir, paused]);
  const box = within(await screen.findByRole('region', { name: /In January/ }));
  await pointer.click(box.getByRole('button', { name: 'Go on pausing' }));
  await waitFor(() => expect(box.getByRole('alert')).toHaveTextContent(/^The change was not saved\. ./));
  server.use(http.put(content('/users/me/spending-limits/EUR/'), () => refusal('unavailable', 503)));
  await pointer.click(box.getByRole('button', { name: 'Raise the limit to €32' }));
  expect(await screen.findByText(/^The limit was not changed\. ./)).toBeVisible();
});

test('a held month has its figures from the payment service, a chip, and is not counted as coming', async () => {
  const sent = serveLimits(limited(5));
  const held = { period: 3, day: '2026-12-20', amount_minor: 700, limit_minor: 500, total_minor: 700 };
  const state = { held: held as typeof held | undefined };
  server.use(
    http.get(payments('/api/subscriptions/:id'), () =>
      HttpResponse.json({ subscription: aPaying({ held: state.held, next_charge: undefined }) }),
    ),
  );
  const { pointer } = await openCalendar([withHeld]);
  const box = within(await screen.findByRole('region', { name: 'December’s €7.00 waits for your answer' }));
  expect(box.getByText(/December would come to €7\.00, and your limit is €5\.00/)).toBeVisible();
  expect(screen.getByText('Nothing is charged in December.')).toBeVisible();
  const month = within(screen.getByRole('region', { name: 'December 2026' }));
  expect(month.getByText('Waits for your answer')).toBeVisible();
  expect(month.getByText('Of this, €7.00 waits for your answer')).toBeVisible();
  state.held = undefined;
  await pointer.click(box.getByRole('button', { name: 'Raise the limit to €7' }));
  expect(await screen.findByText('December’s €7.00 is charged on 20 Dec')).toBeVisible();
  expect(screen.queryByRole('region', { name: /December’s €7.00 waits/ })).toBeNull();
  expect(sent).toEqual([['PUT', 'EUR', { amount: 7, counts_pledges: false }]]);
});

test('the limit is set, counts pledges at once, and is taken away after a question', async () => {
  const sent = serveLimits();
  const { pointer } = await openCalendar([choir]);
  const section = within(await screen.findByRole('region', { name: 'Monthly limit' }));
  const field = await section.findByLabelText('At most per month');
  await pointer.click(section.getByRole('button', { name: 'Save the limit' }));
  expect(field).toBeInvalid();
  expect(section.queryByRole('button', { name: 'Remove the limit' })).toBeNull();
  await pointer.type(field, '40{Enter}');
  expect(await section.findByText('Your limit is now €40.00 a month')).toBeVisible();
  expect(field).toHaveValue('40.00');
  await pointer.click(section.getByRole('switch', { name: 'Count single pledges too' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await pointer.click(section.getByRole('button', { name: 'Remove the limit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove the limit?' }));
  await pointer.click(dialog.getByRole('button', { name: 'Remove the limit' }));
  expect(await section.findByText('You have no limit any more')).toBeVisible();
  expect(sent).toEqual([
    ['PUT', 'EUR', { amount: 40, counts_pledges: false }],
    ['PUT', 'EUR', { amount: 40, counts_pledges: true }],
    ['DELETE', 'EUR'],
  ]);
  expect(field).toHaveValue('');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('heading', { name: 'Monthly limit' })).toHaveFocus();
});

test('a limit that is not stored says so, and what was typed stays', async () => {
  serveLimits(limited(40));
  server.use(http.put(content('/users/me/spending-limits/EUR/'), () => refusal('unavailable', 503)));
  const { pointer } = await openCalendar([choir]);
  const section = within(await screen.findByRole('region', { name: 'Monthly limit' }));
  const field = await section.findByLabelText('At most per month');
  await pointer.clear(field);
  await pointer.type(field, '45{Enter}');
  await waitFor(() => expect(section.getByRole('alert')).toHaveTextContent(/^The limit was not changed\. ./));
  expect(field).toHaveValue('45');
  await pointer.click(section.getByRole('switch'));
  await waitFor(() => expect(section.getByRole('switch')).not.toBeChecked());
});

test('while the limit cannot be read, the rest of the page works, and it can be tried again', async () => {
  server.use(
    http.get(content('/users/me/spending-limits/'), () => refusal('unavailable', 503), { once: true }),
  );
  const { pointer } = await openCalendar([choir]);
  expect(await screen.findByText('The limit could not be read')).toBeVisible();
  expect(screen.getByRole('region', { name: 'December 2026' })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('At most per month')).toBeVisible();
});

test('where single pledges count too, which the calendar does not know, it says so and offers no exact limit', async () => {
  serveLimits(limited(10, true));
  const { pointer } = await openCalendar([choir, magazine]);
  const box = within(await screen.findByRole('region', { name: /would go over your limit/ }));
  expect(screen.getByText('Single pledges count towards your limit on top of these sums.')).toBeVisible();
  expect(box.getByRole('button', { name: 'Skip December' })).toBeVisible();
  expect(box.queryByRole('button', { name: /^Raise/ })).toBeNull();
  await pointer.click(box.getByRole('button', { name: 'Change the limit' }));
  expect(screen.getByRole('heading', { name: 'Monthly limit' })).toHaveFocus();
});

test('support that was begun without signing in is not counted, and that is said while there is a limit', async () => {
  serveLimits(limited(10));
  const without = { ...magazine, is_in_limit: false };
  const { unmount } = await openCalendar([choir, without]);
  expect(
    await screen.findByRole('region', { name: 'In January, €5.00 would go over your limit' }),
  ).toBeVisible();
  const note = 'Support that you began without signing in does not count towards your limit.';
  expect(screen.getByText(note)).toBeVisible();
  const bars = within(screen.getByRole('region', { name: 'Month by month' })).getAllByRole('listitem');
  expect(bars.map((bar) => bar.textContent)).toContain('DecDecember 2026 €13.50');
  unmount();
  serveLimits();
  await openCalendar([choir, without]);
  expect(await screen.findByLabelText('At most per month')).toBeVisible();
  expect(screen.queryByText(note)).toBeNull();
});

test('while a failed charge of a support waits, none of its coming months is offered to be skipped', async () => {
  serveLimits(limited(6));
  const { unmount } = await openCalendar([choir, magazine]);
  const box = await screen.findByRole('region', { name: /would go over your limit/ });
  expect(box).toHaveTextContent('Kuoro: €7.00 would be charged on 20 Dec.');
  unmount();
  await openCalendar([magazine]);
  const other = within(await screen.findByRole('region', { name: /would go over your limit/ }));
  expect(other.queryByRole('button', { name: /^Skip/ })).toBeNull();
  expect(other.getByRole('button', { name: 'Raise the limit to €7' })).toBeVisible();
});

test('a pause goes on until a year from this month at most, as the service takes it', async () => {
  serveLimits(limited(16));
  const sent: unknown[] = [];
  server.use(
    http.post(payments('/api/subscriptions/:id/pause'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ subscription: aPaying({ status: 'paused', paused_until: '2027-11-03' }) });
    }),
  );
  const { pointer } = await openCalendar([
    { ...paused, charges: [{ period: 14, day: '2027-10-03', amount: 17, state: 'coming' }] },
  ]);
  await pointer.click(await screen.findByRole('button', { name: 'Go on pausing' }));
  expect(await screen.findByText('The pause goes on. The next charge is on 3 Nov 2027.')).toBeVisible();
  expect(sent).toEqual([{ until_period: 15 }]);
});

test('a held month that cannot be read says so, and can be tried again', async () => {
  const held = { period: 3, day: '2026-12-20', amount_minor: 700, limit_minor: 500, total_minor: 700 };
  server.use(
    http.get(payments('/api/subscriptions/:id'), () => refusal('unavailable', 503), { once: true }),
    http.get(payments('/api/subscriptions/:id'), () =>
      HttpResponse.json({ subscription: aPaying({ held, next_charge: undefined }) }),
    ),
  );
  const { pointer } = await openCalendar([withHeld]);
  expect(await screen.findByText('The month that waits for your answer could not be read')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'December’s €7.00 waits for your answer' })).toBeVisible();
});

test('after a coming month is skipped, the heading before its box has the focus', async () => {
  serveLimits(limited(10));
  server.use(
    http.post(payments('/api/subscriptions/:id/skip'), () => HttpResponse.json({ subscription: aPaying() })),
  );
  const { pointer } = await openCalendar([{ ...choir, charges: choir.charges.slice(0, 3) }, magazine]);
  await pointer.click(await screen.findByRole('button', { name: 'Skip December' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});

/** Holds the next change of the limit until it is let go. */
function holdChange() {
  let letGo: () => void = () => undefined;
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  server.use(
    http.put(
      content('/users/me/spending-limits/EUR/'),
      async () => {
        await isLetGo;
        return undefined; // the handler of serveLimits answers
      },
      { once: true },
    ),
  );
  return letGo;
}

test('what is typed while the limit is being stored stays', async () => {
  serveLimits(limited(40));
  const letGo = holdChange();
  const { pointer } = await openCalendar([choir]);
  const field = await screen.findByLabelText('At most per month');
  await pointer.clear(field);
  await pointer.type(field, '45{Enter}');
  await pointer.type(field, '0');
  letGo();
  expect(await screen.findByText('Your limit is now €45.00 a month')).toBeVisible();
  expect(field).toHaveValue('450');
});

test('of two presses of the switch the last one counts: the second waits for the answer to the first', async () => {
  const sent = serveLimits(limited(40));
  const letGo = holdChange();
  const { pointer } = await openCalendar([choir]);
  const pledges = await screen.findByRole('switch', { name: 'Count single pledges too' });
  await pointer.click(pledges);
  await pointer.click(pledges);
  letGo();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    ['PUT', 'EUR', { amount: 40, counts_pledges: true }],
    ['PUT', 'EUR', { amount: 40, counts_pledges: false }],
  ]);
  await waitFor(() => expect(pledges).not.toBeChecked());
});
