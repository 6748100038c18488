import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { payments, refusal, server } from '../../../../test/server';
import { aPaidDecember, aPaying, failed, serveMonthly } from '../../../../test/subscription';
import { openSupport, scriptedProvider } from '../../../../test/supportPage';

jest.setTimeout(30_000);

const provider = scriptedProvider();

const skippedDecember = () =>
  aPaying({
    next_charge: { period: 4, day: '2027-01-20', amount_minor: 700 },
    months: aPaying().months.map((one) => ({
      ...one,
      state: one.period === 3 ? 'skipped' : one.period === 4 ? 'next' : one.state,
    })),
  });

const paused = () => aPaying({ status: 'paused', paused_until: '2027-03-20', next_charge: undefined });

const { setTimeout: realSetTimeout } = globalThis;
afterEach(() => {
  globalThis.setTimeout = realSetTimeout;
});

/** Half a second does not pass before it is let pass, however slow the machine is. */
function holdHalfASecond(): () => void {
  const held: (() => void)[] = [];
  // Not a mock function: the library would take it for Jest's fake timers.
  globalThis.setTimeout = ((run: () => void, ms?: number) =>
    ms === 500 ? held.push(run) : realSetTimeout(run, ms)) as typeof setTimeout;
  return () => held.splice(0).forEach((run) => run());
}

test('the second press of a double press on skip does not take the skip back', async () => {
  const { sent, state } = serveMonthly();
  const { pointer } = await openSupport();
  const skip = screen.getByRole('button', { name: 'Skip once' });
  const passHalfASecond = holdHalfASecond();
  state.paying = skippedDecember();
  await pointer.click(skip);
  const resume = await screen.findByRole('button', { name: 'Resume' });
  expect(resume).not.toBe(skip);
  await pointer.click(resume);
  expect(sent.changes).toEqual([['POST skip', { period: 3 }]]);
  act(passHalfASecond);
  await pointer.click(resume);
  await waitFor(() => expect(sent.changes.at(-1)).toEqual(['POST resume', undefined]));
});

test('the second press of a double press on pause does not end the pause', async () => {
  const { sent, state } = serveMonthly();
  const { pointer } = await openSupport();
  state.paying = paused();
  holdHalfASecond();
  await pointer.click(screen.getByRole('button', { name: 'Pause' }));
  await pointer.click(await screen.findByRole('button', { name: 'Resume' }));
  expect(sent.changes).toEqual([['POST pause', { until_period: 6 }]]);
});

test('a month that was left out can be taken back until its day has come, and not afterwards', async () => {
  const skipped = skippedDecember();
  serveMonthly(
    aPaying({
      paid_until: '2026-10-19',
      months: skipped.months.map((one) => ({ ...one, state: one.period === 2 ? 'skipped' : one.state })),
    }),
  );
  const { unmount } = await openSupport();
  expect(screen.getByText('December is skipped. You can still take it back.')).toBeVisible();
  unmount();
  serveMonthly(
    aPaying({
      paid_until: '2026-11-19',
      months: aPaying().months.map((one) => ({ ...one, state: one.period === 2 ? 'skipped' : one.state })),
    }),
  );
  await openSupport();
  expect(screen.queryByText(/You can still take it back/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Skip once' })).toBeVisible();
});

test.each([
  ['a month is to be paid', aPaying(failed)],
  ['what was paid has run out', aPaying({ ...paused(), paid_until: '2026-11-19' })],
])('where %s, stopping says that the support ends at once', async (_, paying) => {
  serveMonthly(paying);
  const { pointer } = await openSupport();
  expect(screen.getByText('Your support ends at once. Nothing more is charged.')).toBeVisible();
  expect(screen.queryByText(/The paid month runs/)).toBeNull();
  await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Your support ends at once. Nothing more is charged.')).toBeVisible();
});

test('the day on which a pause ends, and a charge that stopping cancels, are told with their year', async () => {
  const next_charge = { period: 6, day: '2027-03-20', amount_minor: 700 };
  serveMonthly(aPaying({ status: 'paused', paused_until: '2027-03-20', next_charge }));
  const { pointer } = await openSupport();
  expect(screen.getByText('Your support is paused. The next charge is on 20 Mar 2027.')).toBeVisible();
  expect(screen.getByText(/The pause lasts until 20 Mar 2027\./)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/planned for 20 Mar 2027 will not be charged/)).toBeVisible();
});

test('while a charge has failed, another level counts from the month after it, and a pause leaves it out', async () => {
  const { sent } = serveMonthly(aPaying(failed));
  const { pointer } = await openSupport();
  expect(
    screen.getByText('A change counts from 20 Jan. The month that is to be paid stays as it is.'),
  ).toBeVisible();
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  expect(screen.getByText(/^From 20 Jan on/)).toHaveTextContent('€15.00 a month instead of €7.00');
  expect(screen.queryByText(/Nothing is charged now/)).toBeNull();
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  await waitFor(() => expect(sent.changes).toHaveLength(1));
  expect(screen.getByText(/December is left out, too\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Skip once' })).toBeNull();
  await pointer.selectOptions(screen.getByLabelText('Until'), '20 Feb 2027');
  await pointer.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() =>
    expect(sent.changes).toEqual([
      ['POST modify-level', { amount: 15, reward_id: 3 }],
      ['POST pause', { until_period: 5 }],
    ]),
  );
});

test('support whose payment is missing can change its level, and cannot be paused', async () => {
  serveMonthly(aPaying({ ...failed, status: 'past_due' }));
  await openSupport();
  expect(await screen.findByRole('radio', { name: /Eturivi/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
});

test('while a failed month is being left out it is not paid, and while it is paid it is not left out', async () => {
  const { sent } = serveMonthly(aPaying(failed));
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  server.use(
    http.post(
      payments('/api/subscriptions/:id/skip'),
      async () => {
        await isAnswered;
        return refusal('unavailable', 503);
      },
      { once: true },
    ),
    http.post(payments('/api/subscriptions/:id/setup'), async () => {
      await delay(300);
      return undefined;
    }),
  );
  const { pointer } = await openSupport();
  const due = within(screen.getByRole('region', { name: /did not go through/ }));
  const pay = await due.findByRole('button', { name: 'Pay €7.00 now' });
  const skip = due.getByRole('button', { name: 'Skip December' });
  await waitFor(() => expect(pay).toBeEnabled());
  await pointer.click(skip);
  await pointer.click(pay);
  expect(pay).toHaveAttribute('aria-busy', 'true');
  answer();
  expect(await due.findByText(/^The change was not saved/)).toBeVisible();
  expect(provider.confirmed).toEqual([]);

  await pointer.click(pay);
  await pointer.click(skip);
  expect(skip).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(provider.confirmed).toHaveLength(1));
  expect(sent.changes).toEqual([]);
});

test('why a change was not made is said in its row', async () => {
  serveMonthly();
  server.use(http.post(payments('/api/subscriptions/:id/:call'), () => refusal('internal_error', 500)));
  const { pointer } = await openSupport();
  for (const [row, button] of [
    ['Skip December', 'Skip once'],
    ['Pause', 'Pause'],
  ] as const) {
    await pointer.click(screen.getByRole('button', { name: button }));
    const alert = await screen.findByText(/^The change was not saved\./);
    expect(alert.parentElement).toContainElement(screen.getByRole('heading', { name: row }));
    expect(alert).toHaveAttribute('role', 'alert');
  }
  await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
  await pointer.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop supporting' }),
  );
  await waitFor(() =>
    expect(screen.getByText(/^The change was not saved\./).parentElement).toContainElement(
      screen.getByRole('heading', { name: 'Stop' }),
    ),
  );
});

test('why a level was not changed is said beside its button', async () => {
  serveMonthly();
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => refusal('internal_error', 500)),
  );
  const { pointer } = await openSupport();
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  const section = within(screen.getByRole('region', { name: 'Change your support' }));
  expect(await section.findByRole('alert')).toHaveTextContent(/^The change was not saved/);
});

describe('when what was pressed goes away, the heading before it has the focus', () => {
  const breaks = () => screen.getByRole('heading', { name: 'Take a break' });

  test.each([
    ['skip', aPaying(), skippedDecember(), 'Skip once'],
    ['pause', aPaying(), paused(), 'Pause'],
    ['resume', paused(), aPaying(), 'Resume'],
  ])('%s', async (_, before, after, button) => {
    const { state } = serveMonthly(before);
    const { pointer } = await openSupport();
    state.paying = after;
    await pointer.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(breaks()).toHaveFocus());
  });

  test.each([
    ['stop', aPaying({ ends_on: '2026-12-19', next_charge: undefined }), 'Ending your support'],
    ['stop at once', aPaying({ status: 'canceled', next_charge: undefined }), 'Kuoro'],
  ])('%s', async (_, after, heading) => {
    const { state } = serveMonthly();
    const { pointer } = await openSupport();
    await pointer.click(screen.getByRole('button', { name: 'Stop supporting' }));
    state.paying = after;
    await pointer.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop supporting' }),
    );
    await waitFor(() => expect(screen.getByRole('heading', { name: heading })).toHaveFocus());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('heading', { name: heading })).toHaveFocus();
  });

  test('another level, chosen or let be', async () => {
    const { state } = serveMonthly();
    const { pointer } = await openSupport();
    const heading = screen.getByRole('heading', { name: 'Change your support' });
    await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
    await pointer.click(screen.getByRole('button', { name: 'Keep €7.00' }));
    expect(heading).toHaveFocus();
    await pointer.click(screen.getByRole('radio', { name: /Eturivi/ }));
    state.paying = aPaying({ next_level: { amount_minor: 1500, from_period: 3 } });
    await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
    await waitFor(() => expect(heading).toHaveFocus());
  });

  test('another card, saved or let be', async () => {
    serveMonthly();
    const { pointer } = await openSupport();
    const heading = screen.getByRole('heading', { name: 'Next charge' });
    await pointer.click(screen.getByRole('button', { name: 'Change card' }));
    await pointer.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(heading).toHaveFocus();
    await pointer.click(screen.getByRole('button', { name: 'Change card' }));
    const save = await screen.findByRole('button', { name: 'Save card' });
    await waitFor(() => expect(save).toBeEnabled());
    await pointer.click(save);
    await waitFor(() => expect(heading).toHaveFocus());
  });

  test('a month that is paid', async () => {
    const { state } = serveMonthly(aPaying(failed));
    const { pointer } = await openSupport();
    const pay = await screen.findByRole('button', { name: 'Pay €7.00 now' });
    await waitFor(() => expect(pay).toBeEnabled());
    state.paying = aPaidDecember();
    await pointer.click(pay);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Kuoro' })).toHaveFocus());
  });
});
