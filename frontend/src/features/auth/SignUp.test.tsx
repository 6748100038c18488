import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { pressSignOut } from '../../../test/menu';
import { renderAt } from '../../../test/render';
import { content, server } from '../../../test/server';

test('the server’s validation error of a password is shown at its field, and nothing typed is lost', async () => {
  const message = 'This password is common and is guessed first. Make up one of your own.';
  server.use(
    http.post(content('/users/'), () =>
      HttpResponse.json(
        {
          status: 'invalid_fields',
          message: '',
          request_id: 'r',
          fields: [{ path: 'password', rule: 'password_common', message }],
        },
        { status: 422 },
      ),
    ),
  );
  const { pointer } = await renderAt('/en/info/money/');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  const first = within(await screen.findByRole('dialog'));
  await pointer.click(first.getByRole('button', { name: 'Create an account' }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const [label, text] of Object.entries({
    'First name': 'Leena',
    'Last name': 'Hakkarainen',
    Email: 'leena@example.fi',
    Password: 'salasana',
    'Password again': 'salasana',
  })) {
    await pointer.click(dialog.getByLabelText(label));
    await pointer.paste(text);
  }
  await pointer.click(dialog.getByRole('button', { name: 'Create an account' }));

  expect(await dialog.findByText(message)).toBeVisible();
  const password = dialog.getByLabelText('Password');
  expect(password).toHaveFocus();
  expect(password).toHaveAccessibleDescription(expect.stringContaining(message));
  expect(dialog.getByLabelText('Email')).toHaveValue('leena@example.fi');
});

test('a closed dialog keeps what was typed, except for passwords, until somebody has signed in', async () => {
  server.use(
    http.post(content('/users/'), () =>
      HttpResponse.json({ token: { string: 't', expires_at: '2026-11-21T00:00:00Z' }, user: aUser() }),
    ),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer } = await renderAt('/en/info/money/');
  const openSignUp = async () => {
    await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
    const dialog = within(await screen.findByRole('dialog'));
    await pointer.click(dialog.getByRole('button', { name: 'Create an account' }));
    return within(await screen.findByRole('dialog', { name: /account/ }));
  };
  const fill = async (dialog: Awaited<ReturnType<typeof openSignUp>>, label: string, text: string) => {
    await pointer.click(dialog.getByLabelText(label));
    await pointer.paste(text);
  };
  const first = await openSignUp();
  await fill(first, 'First name', 'Leena');
  await fill(first, 'Email', 'leena@example.fi');
  await fill(first, 'Password', 'pitkä sana');
  await pointer.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const second = await openSignUp();
  expect(second.getByLabelText('First name')).toHaveValue('Leena');
  expect(second.getByLabelText('Email')).toHaveValue('leena@example.fi');
  expect(second.getByLabelText('Password')).toHaveValue('');
  await fill(second, 'Last name', 'Hakkarainen');
  await fill(second, 'Password', 'pitkä sana');
  await fill(second, 'Password again', 'pitkä sana');
  await pointer.click(second.getByRole('button', { name: 'Create an account' }));
  await pressSignOut(pointer);

  await screen.findByRole('button', { name: 'Sign in' });
  expect((await openSignUp()).getByLabelText('First name')).toHaveValue('');
});
