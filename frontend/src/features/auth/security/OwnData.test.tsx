import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { listOf } from '../../../../test/campaigns';
import { anOwnProfile } from '../../../../test/people';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';
import type { Erasure, Security } from '../../../api/security';
import { selectUser } from '../../../api/session';
import { saveFile } from '../../../ui/saveFile';

jest.mock('../../../ui/saveFile');

// Toasts are kept outside of React, by numbers that begin anew with each page.
afterEach(() => notifications.clean());

const page = '/en/profile/me/security/';
const nothingLeft: Erasure = { receipts: 0, going_on: [], monthly: [], blockers: [] };

/** Somebody signed in, whose account has a password alone unless `security` says more. */
function setUp(erasure: Erasure, security: Partial<Security> = {}) {
  server.use(
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({
        passkeys: [],
        backup_codes_left: 0,
        is_required: false,
        session_has_second_step: false,
        has_password: true,
        ...security,
      }),
    ),
    http.get(content('/users/me/sessions/'), () => HttpResponse.json({ sessions: [] })),
    http.get(content('/users/me/erasure/'), () => HttpResponse.json(erasure)),
    http.get(content('/users/me/profile'), () => HttpResponse.json({ profile: anOwnProfile() })),
  );
  return renderAt(page, { user: aUser() });
}

/** The home page, on which who has erased their account is told. */
const serveHome = () =>
  server.use(
    http.get(content('/campaigns/preview/en/'), () => listOf([])),
    http.get(content('/campaigns/preview/subscriptions/en/'), () => listOf([])),
    http.get(content('/experiments/preview/en/'), () => listOf([])),
    http.get(content('/campaigns/categories/'), () => HttpResponse.json({ categories: [] })),
  );

const refused = (status: string, code: number, fields?: object[]) =>
  HttpResponse.json({ status, message: '', request_id: 'r', fields }, { status: code });

test('the password is not asked where the account has a second step, because it would not be enough', async () => {
  const { pointer } = await setUp(nothingLeft, {
    totp: { added_at: '2026-07-01T09:00:00Z' },
    backup_codes_left: 10,
  });
  await pointer.click(await screen.findByRole('button', { name: 'Download the file' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  expect(asked.getByText(/^The account has a second step/)).toBeVisible();
  expect(asked.getByLabelText('Code from the code app')).toBeVisible();
  expect(asked.getByRole('button', { name: 'Use a backup code' })).toBeVisible();
  expect(asked.queryByLabelText('Password')).toBeNull();
  expect(asked.queryByRole('button', { name: /password/ })).toBeNull();
});

test('everything is downloaded as one file, once the password is shown again', async () => {
  const calls: string[] = [];
  const sent: unknown[] = [];
  server.use(
    http.get(content('/users/me/data/'), () => {
      calls.push('data');
      return new HttpResponse('{"account": {}}', { headers: { 'Content-Type': 'application/json' } });
    }),
    http.post(content('/users/me/confirmations/'), async ({ request }) => {
      sent.push(await request.json());
      calls.push('confirm');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await setUp(nothingLeft);
  await pointer.click(await screen.findByRole('button', { name: 'Download the file' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  await pointer.fill(asked.getByLabelText('Password'), ' seven grey stones {Enter}');
  expect(await screen.findByText('The file is downloaded')).toBeVisible();
  expect(calls).toEqual(['confirm', 'data']);
  expect(sent).toEqual([{ password: ' seven grey stones ' }]);
  expect(saveFile).toHaveBeenCalledWith(
    ['{"account": {}}'],
    'application/json',
    expect.stringMatching(/^talkoot-my-data-\d{4}-\d\d-\d\d\.json$/),
  );
});

test('what stays and what is under way is said before anything is asked', async () => {
  const { pointer } = await setUp({
    receipts: 4,
    receipts_until: '2032-12-31',
    going_on: [{ currency: 'EUR', pledges: 2, amount: 128.5 }],
    monthly: [{ currency: 'EUR', supports: 2, amount: 6 }],
    blockers: [],
  });
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  const heading = await screen.findByRole('heading', { name: 'Delete your account?' });
  expect(heading).toHaveFocus();
  expect(await screen.findByText('4 receipts, until 31 Dec 2032')).toBeVisible();
  expect(screen.getByRole('heading', { name: /bookkeeping law/ })).toBeVisible();
  expect(screen.getByText('€128.50 is still under way.')).toBeVisible();
  expect(screen.getByText('Your monthly support ends: 2 supports, €6.00 a month.')).toBeVisible();
  expect(screen.getByText(/forum .* keeps your messages and the name, email address/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Keep the account' }));
  expect(screen.queryByRole('heading', { name: 'Delete your account?' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'See what goes' })).toHaveFocus();
});

test('while something is open its reason stands in the place of the form', async () => {
  const { pointer } = await setUp({
    ...nothingLeft,
    blockers: [
      { reason: 'campaign', campaign_id: 7, slug: 'hoyry', title: 'Steam' },
      { reason: 'payment', campaign_id: 8, slug: 'sauna', title: 'Sauna' },
      { reason: 'staff' },
    ],
  });
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  expect(await screen.findByText('The account cannot be deleted yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Steam' })).toHaveAttribute('href', '/en/7/hoyry/');
  expect(screen.getByText(/A bank is still working on your payment/)).toBeVisible();
  expect(screen.getByText(/You have staff rights/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete my account' })).not.toBeInTheDocument();
});

test('address and password erase the account: signed out, told, on the home page', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(content('/users/me/erasure/'), async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? refused('invalid_fields', 422, [
            { path: 'password', rule: 'password_wrong', message: 'The password does not match.' },
          ])
        : new HttpResponse(null, { status: 204 });
    }),
  );
  serveHome();
  const { pointer, store, router } = await setUp(nothingLeft);
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  await pointer.click(await screen.findByRole('button', { name: 'Delete my account' }));
  expect(screen.getByLabelText('Type your email')).toHaveFocus(); // the first that is missing; nothing is sent
  expect(sent).toEqual([]);
  await pointer.fill(screen.getByLabelText('Type your email'), 'leena@example.fi');
  await pointer.fill(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect(await screen.findByText('The password does not match.')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
  expect(screen.getByLabelText('Type your email')).toHaveValue('leena@example.fi');
  await pointer.clear(screen.getByLabelText('Password'));
  await pointer.fill(screen.getByLabelText('Password'), 'seven grey stones{Enter}');
  expect(await screen.findByText('Your account is deleted')).toBeVisible();
  expect(selectUser(store.getState())).toBeNull();
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/'));
  expect(sent[1]).toEqual({ email: 'leena@example.fi', password: 'seven grey stones' });
});

test('with two steps the second is asked for, too, and the password is not asked twice', async () => {
  let isConfirmed = false;
  const tries: boolean[] = [];
  server.use(
    http.post(content('/users/me/confirmations/'), () => {
      isConfirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(content('/users/me/erasure/'), () => {
      tries.push(isConfirmed);
      return isConfirmed ? new HttpResponse(null, { status: 204 }) : refused('confirmation_required', 403);
    }),
  );
  serveHome();
  const { pointer } = await setUp(nothingLeft, {
    totp: { added_at: '2026-11-01T10:00:00Z' },
    backup_codes_left: 8,
    confirmed_until: '2999-01-01T00:00:00Z',
  });
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  await pointer.fill(await screen.findByLabelText('Type your email'), 'leena@example.fi');
  await pointer.fill(screen.getByLabelText('Password'), 'seven grey stones{Enter}');
  const asked = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  expect(asked.queryByRole('button', { name: /password/i })).not.toBeInTheDocument();
  await pointer.fill(asked.getByLabelText('Code from the code app'), '123456{Enter}');
  expect(await screen.findByText('Your account is deleted')).toBeVisible();
  expect(tries).toEqual([false, true]);
  await screen.findByRole('heading', { level: 1 });
});

test('what comes up meanwhile is told, and the panel reads anew', async () => {
  let erasure = nothingLeft;
  server.use(http.post(content('/users/me/erasure/'), () => refused('erasure_blocked', 409)));
  const { pointer } = await setUp(nothingLeft);
  server.use(http.get(content('/users/me/erasure/'), () => HttpResponse.json(erasure)));
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  await pointer.fill(await screen.findByLabelText('Type your email'), 'leena@example.fi');
  erasure = { ...nothingLeft, blockers: [{ reason: 'payment', campaign_id: 8, slug: 's', title: 'Sauna' }] };
  await pointer.fill(screen.getByLabelText('Password'), 'seven grey stones{Enter}');
  expect(await screen.findByText('The account cannot be deleted yet')).toBeVisible();
});

test('a reading that fails can be repeated', async () => {
  let fails = true;
  const { pointer } = await setUp(nothingLeft);
  server.use(
    http.get(content('/users/me/erasure/'), () =>
      fails ? refused('busy', 503) : HttpResponse.json(nothingLeft),
    ),
  );
  await pointer.click(await screen.findByRole('button', { name: 'See what goes' }));
  const again = await screen.findByRole('button', { name: /again/i });
  fails = false;
  await pointer.click(again);
  expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeVisible();
});
