import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { renderAt } from '../../../test/render';
import { content, server } from '../../../test/server';

test('what the server says of a password stands at the password, and nothing that was written is lost', async () => {
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
