import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import type { LedgerDaysAnswer } from '../../../api/ledger';
import { renderAt } from '../../../../test/render';
import { payments, server } from '../../../../test/server';

const hashOf = (sign: string) => sign.repeat(64);

function answer(pages: Record<string, LedgerDaysAnswer>) {
  server.use(
    http.get(payments('/api/ledger/days'), ({ request }) =>
      HttpResponse.json(pages[new URL(request.url).searchParams.get('before') ?? '']),
    ),
  );
}

const day = (date: string, sign: string, transactions: number) => ({
  day: date,
  transactions,
  previous_hash: '',
  hash: hashOf(sign),
  sealed_at: '2026-11-28T23:00:00Z',
});

test('the days of the book are listed with their whole hashes, the latest first, and earlier ones are asked for', async () => {
  answer({
    '': { days: [day('2026-11-27', 'a', 1234), day('2026-11-26', 'b', 0)], has_more: true },
    '2026-11-26': { days: [day('2026-11-25', 'c', 7)], has_more: false },
  });
  await renderAt('/en/ledger/');
  const rows = () =>
    within(screen.getByRole('table', { name: 'Sealed days' }))
      .getAllByRole('row')
      .slice(1);
  await screen.findByRole('table', { name: 'Sealed days' });
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    `27 Nov 20261,234${hashOf('a')}`,
    `26 Nov 20260${hashOf('b')}`,
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier ones' }));
  expect(await screen.findByText(hashOf('c'))).toBeVisible();
  expect(rows()).toHaveLength(3);
  expect(screen.queryByRole('button', { name: 'Show earlier ones' })).toBeNull();
});

test('before the first day is over the page says when it is sealed', async () => {
  answer({ '': { days: [], has_more: false } });
  await renderAt('/ledger/');
  expect(await screen.findByText('Yhtään päivää ei ole vielä suljettu.')).toBeVisible();
});
