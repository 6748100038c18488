import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { payments, server } from '../../../../test/server';
import type { DeskBalanceDay } from '../../../api/desk';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });

const aDay = (overrides: Partial<DeskBalanceDay> = {}): DeskBalanceDay => ({
  provider: 'stripe',
  place: 'main',
  day: '2026-11-20',
  as_of: '2026-11-20T22:00:00Z',
  compared_at: '2026-11-21T00:00:10Z',
  currency: 'EUR',
  book_minor: 129000,
  objects_minor: 129000,
  balance_minor: 129000,
  foreign_minor: 0,
  verdict: 'agrees',
  ...overrides,
});

const asked: string[] = [];

function serveDays(...days: DeskBalanceDay[]) {
  asked.length = 0;
  server.use(
    http.get(payments('/api/admin/money/balances'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ days, total: days.length });
    }),
  );
}

const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));

test('each place and day has three sums, their differences, what to do and the anomaly', async () => {
  serveDays(
    aDay({ verdict: 'balance', balance_minor: 128700, anomaly_id: 12 }),
    aDay({
      provider: 'mangopay',
      place: 'wlt_1',
      campaign_id: 7,
      verdict: 'unknown',
      balance_minor: undefined,
    }),
    aDay({ provider: 'mangopay', place: 'fees', foreign_minor: 700 }),
  );
  await renderAt('/en/admin/money/balances/', { user: admin });
  const differs = await row(', Balance');
  expect(differs.getAllByText('€1,290.00')).toHaveLength(2);
  expect(differs.getByText('€1,287.00')).toBeVisible();
  expect(differs.getByText(/^As of 21 Nov/)).toBeVisible(); // the end of the 20th in Finland
  expect(differs.getByText('List − balance: €3.00')).toBeVisible();
  expect(differs.getByText('Book − balance: €3.00')).toBeVisible();
  expect(differs.queryByText(/Book − list/)).toBeNull();
  expect(differs.getByText(/moved without a line/)).toBeVisible();
  expect(differs.getByRole('link', { name: 'Open the difference' })).toHaveAttribute(
    'href',
    '/en/admin/money/anomalies/12/',
  );
  const unread = await row('Campaign 7');
  expect(unread.getByText('not read')).toBeVisible();
  expect(unread.queryByText(/−/)).toBeNull();
  const shared = await row('Our fees');
  expect(shared.getByText('Agree')).toBeVisible();
  expect(shared.getByText('Another system: €7.00')).toBeVisible();
});

test('only what differs is asked for by its address', async () => {
  serveDays();
  await renderAt('/en/admin/money/balances/?show=differing', { user: admin });
  expect(await screen.findByText('All three agree everywhere')).toBeVisible();
  expect(asked).toEqual(['?differing=true&offset=0']);
});
