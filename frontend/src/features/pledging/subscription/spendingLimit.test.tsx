import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { payments, server, untilQuiet } from '../../../../test/server';
import { aPaying, limited, overLimit, serveLimits, serveMonthly } from '../../../../test/subscription';
import { openSupport, scriptedProvider } from '../../../../test/supportPage';

jest.setTimeout(30_000);

scriptedProvider();

const held = { period: 3, day: '2026-12-20', amount_minor: 700, limit_minor: 4000, total_minor: 4350 };

test('a level that would cross the limit is asked about; raising the limit makes the change', async () => {
  const { sent } = serveMonthly();
  const put = serveLimits(limited(40));
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => overLimit(4000, 4350), { once: true }),
  );
  const { pointer } = await openSupport(aUser());
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  const box = within(await screen.findByRole('region', { name: 'December would come to €43.50' }));
  expect(screen.queryByText('The change was not saved')).toBeNull();
  await pointer.click(box.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('Your support is €15.00 a month')).toBeVisible();
  expect(put).toEqual([['PUT', 'EUR', { amount: 44, counts_pledges: false }]]);
  expect(sent.changes).toEqual([['POST modify-level', { amount: 15, reward_id: 3 }]]);
  await waitFor(() => expect(screen.queryByRole('region', { name: /would come to/ })).toBeNull());
});

test('a reading that began with the raise of the limit does not bring the former level back', async () => {
  const { state } = serveMonthly();
  serveLimits(limited(40));
  server.use(
    http.post(payments('/api/subscriptions/:id/modify-level'), () => overLimit(4000, 4350), { once: true }),
  );
  const { pointer } = await openSupport(aUser());
  const before = state.paying;
  let answerReading: () => void = () => undefined;
  const isSlow = new Promise<void>((resolve) => (answerReading = resolve));
  server.use(
    http.get(payments('/api/subscriptions/:id'), async () => {
      await isSlow;
      return HttpResponse.json({ subscription: before });
    }),
  );
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  state.paying = aPaying({ next_charge: { period: 3, day: '2026-12-20', amount_minor: 1500 } });
  await pointer.click(await screen.findByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('Your support is €15.00 a month')).toBeVisible();
  const next = within(screen.getByRole('region', { name: 'Next charge' }));
  expect(await next.findByText('€15.00')).toBeVisible();
  answerReading();
  await act(untilQuiet);
  expect(next.getByText('€15.00')).toBeVisible();
});

test('a question about the limit goes away with another choice', async () => {
  serveMonthly();
  serveLimits(limited(40));
  server.use(http.post(payments('/api/subscriptions/:id/modify-level'), () => overLimit(4000, 4350)));
  const { pointer } = await openSupport(aUser());
  await pointer.click(await screen.findByRole('radio', { name: /Eturivi/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €15.00 a month' }));
  await screen.findByRole('region', { name: /would come to/ });
  await pointer.click(screen.getByRole('radio', { name: /Nuottien/ }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /would come to/ })).toBeNull());
  expect(screen.getByRole('button', { name: 'Change to €4.00 a month' })).toBeVisible();
});

test('a held month says why it waits, and is left out by its number', async () => {
  const { sent, state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  const { pointer } = await openSupport();
  const box = within(screen.getByRole('region', { name: 'December’s €7.00 waits for your answer' }));
  expect(box.getByText(/December would come to €43\.50, and your limit is €40\.00/)).toBeVisible();
  expect(screen.getByText(/, waits for your answer/)).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Nothing is charged' })).queryByText('€7.00')).toBeNull();
  state.paying = aPaying();
  await pointer.click(box.getByRole('button', { name: 'Skip December' }));
  expect(await screen.findByText('December is skipped')).toBeVisible();
  expect(sent.changes).toEqual([['POST skip', { period: 3 }]]);
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
});

test('while a month is held, a lower level and a pause are offered as ever', async () => {
  const { sent, state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  const { pointer } = await openSupport();
  await pointer.click(await screen.findByRole('radio', { name: /Nuottien/ }));
  await pointer.click(screen.getByRole('button', { name: 'Change to €4.00 a month' }));
  expect(await screen.findByText('Your support is €4.00 a month')).toBeVisible();
  state.paying = aPaying({ status: 'paused', paused_until: '2027-03-20' });
  await pointer.selectOptions(screen.getByLabelText('Until'), '20 Mar 2027');
  await pointer.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
  expect(sent.changes).toEqual([
    ['POST modify-level', { amount: 4, reward_id: 1 }],
    ['POST pause', { until_period: 6 }],
  ]);
});

test('raising the limit lets a held month go, and says what is charged when, and what the limit is', async () => {
  const { state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  const put = serveLimits(limited(40));
  const { pointer } = await openSupport(aUser());
  state.paying = aPaying();
  await pointer.click(screen.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('December’s €7.00 is charged on 20 Dec')).toBeVisible();
  expect(screen.getByText('Your limit is now €44.00 a month')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('region', { name: /waits for your answer/ })).toBeNull());
  expect(put).toEqual([['PUT', 'EUR', { amount: 44, counts_pledges: false }]]);
});

test('a held month whose day has come is charged today, and the page asks until it has begun', async () => {
  const today = { period: 3, day: '2026-11-20', amount_minor: 700 };
  const { state } = serveMonthly(aPaying({ held: { ...held, ...today }, next_charge: undefined }));
  serveLimits(limited(40));
  const { pointer } = await openSupport(aUser());
  state.paying = aPaying({ next_charge: today });
  await pointer.click(screen.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByText('November’s €7.00 is charged today')).toBeVisible();
  expect(await screen.findByText('Friday 20 November 2026')).toBeVisible();
  state.paying = aPaying({ next_charge: { period: 4, day: '2026-12-20', amount_minor: 700 } });
  expect(await screen.findByText('Sunday 20 December 2026')).toBeVisible();
});

test('of a held month whose day has come the form says that a lower amount is charged at once, and the page follows it', async () => {
  const today = { period: 3, day: '2026-11-20', amount_minor: 400 };
  const { state } = serveMonthly(aPaying({ held: { ...held, day: '2026-11-20' }, next_charge: undefined }));
  const { pointer } = await openSupport();
  expect(screen.getByText('A lower amount that fits within your limit is charged at once.')).toBeVisible();
  await pointer.click(await screen.findByRole('radio', { name: /Nuottien/ }));
  expect(screen.getByText(/^If/)).toHaveTextContent(
    'If €4.00 fits within your limit, your card is charged at once. If not, the month goes on waiting for your answer.',
  );
  expect(screen.queryByText(/Nothing is charged now/)).toBeNull();
  state.paying = aPaying({ next_charge: today });
  await pointer.click(screen.getByRole('button', { name: 'Change to €4.00 a month' }));
  expect(await screen.findByText('Friday 20 November 2026')).toBeVisible();
  state.paying = aPaying({ next_charge: { period: 4, day: '2026-12-20', amount_minor: 400 } });
  expect(await screen.findByText('Sunday 20 December 2026')).toBeVisible();
});

test('of a held month whose day is still to come the form promises no charge: the amount may not fit', async () => {
  serveMonthly(aPaying({ held, next_charge: undefined }));
  const { pointer } = await openSupport();
  expect(screen.getByText('On 20 Dec a lower amount that fits within your limit is charged.')).toBeVisible();
  await pointer.click(await screen.findByRole('radio', { name: /Nuottien/ }));
  expect(screen.getByText(/^If/)).toHaveTextContent(
    'If €4.00 fits within your limit, your card is charged on 20 Dec. If not, the month goes on waiting for your answer.',
  );
  expect(screen.queryByText(/instead of/)).toBeNull();
});

test('a held month that still does not fit after a raise asks again, and nothing is promised', async () => {
  const { state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  serveLimits(limited(40));
  const { pointer } = await openSupport(aUser());
  state.paying = aPaying({
    held: { ...held, limit_minor: 4400, total_minor: 5000 },
    next_charge: undefined,
  });
  await pointer.click(screen.getByRole('button', { name: 'Raise the limit to €44' }));
  expect(await screen.findByRole('button', { name: 'Raise the limit to €50' })).toBeVisible();
  expect(screen.queryByText(/is charged on/)).toBeNull();
});

test('a held month that fits by now waits for an answer all the same: the limit is set as it is, and charges it', async () => {
  const fitting = { ...held, limit_minor: 3960, total_minor: 3950 };
  const { state } = serveMonthly(aPaying({ held: fitting, next_charge: undefined }));
  const put = serveLimits(limited(39.6));
  const { pointer } = await openSupport(aUser());
  const box = within(screen.getByRole('region', { name: 'December’s €7.00 waits for your answer' }));
  expect(box.getByText(/It fits within your limit of €39\.60 now\./)).toBeVisible();
  expect(box.getByRole('button', { name: 'Skip December' })).toBeVisible();
  state.paying = aPaying();
  await pointer.click(box.getByRole('button', { name: 'Charge €7.00 for December' }));
  expect(await screen.findByText('December’s €7.00 is charged on 20 Dec')).toBeVisible();
  expect(put).toEqual([['PUT', 'EUR', { amount: 39.6, counts_pledges: false }]]);
});

test('when the box about the limit goes with the focus in it, the heading before it has the focus', async () => {
  const { state } = serveMonthly(aPaying({ held, next_charge: undefined }));
  const { pointer } = await openSupport();
  state.paying = aPaying({ status: 'paused', paused_until: '2027-03-20' });
  await pointer.click(screen.getByRole('button', { name: 'Skip December' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Kuoro' })).toHaveFocus());

  server.use(http.post(payments('/api/subscriptions/:id/resume'), () => overLimit(4000, 4350)));
  await pointer.click(screen.getByRole('button', { name: 'Resume' }));
  await pointer.click(await screen.findByRole('button', { name: 'Leave it as it is' }));
  expect(screen.getByRole('heading', { name: 'Take a break' })).toHaveFocus();
});
