import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { renderAt } from '../../../test/render';
import { content, server } from '../../../test/server';
import { selectUser } from '../../api/session';

test('an account with two steps is asked for a code, and a wrong one can be corrected', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(content('/users/tokens/'), () =>
      HttpResponse.json(
        {
          second_step: {
            challenge: 'C',
            methods: ['totp', 'backup_code'],
            expires_at: '2026-11-20T12:10:00Z',
          },
        },
        { status: 202 },
      ),
    ),
    http.post(content('/users/tokens/second_step/'), async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? HttpResponse.json({ status: 'second_step_failed', message: '', request_id: 'r' }, { status: 401 })
        : HttpResponse.json({ token: { string: 't', expires_at: '2026-11-21T00:00:00Z' }, user: aUser() });
    }),
  );
  const { pointer, store } = await renderAt('/en/info/money/');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  const form = within(await screen.findByRole('dialog'));
  await pointer.fill(form.getByLabelText('Email'), 'leena@example.fi');
  await pointer.fill(form.getByLabelText('Password'), 'pitkä sana');
  await pointer.click(form.getByRole('button', { name: 'Sign in' }));

  const step = within(await screen.findByRole('dialog', { name: 'One more step' }));
  expect(selectUser(store.getState())).toBeNull();
  await pointer.fill(step.getByLabelText('Code from the code app'), '000000{Enter}');
  expect(await step.findByText(/does not match/)).toBeVisible();
  await pointer.click(step.getByRole('button', { name: 'Use a backup code' }));
  await pointer.fill(step.getByLabelText('Backup code'), 'abcd-efgh-ijkl-mnop{Enter}');
  await waitFor(() => expect(selectUser(store.getState())?.first_name).toBe(aUser().first_name));
  expect(sent).toEqual([
    { challenge: 'C', code: '000000' },
    { challenge: 'C', backup_code: 'abcd-efgh-ijkl-mnop' },
  ]);
});
