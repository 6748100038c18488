import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import { selectUser } from '../../../api/session';

const link = '/en/password-reset/#token=ABC&email=leena@example.fi';

test('without a token the page asks for an address, and answers the same whether it has an account', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(content('/users/password_resets/'), async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt('/en/password-reset/');
  expect(screen.queryByLabelText('New password')).toBeNull();
  await pointer.click(screen.getByRole('button', { name: 'Send the link' }));
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('This is needed.');
  expect(sent).toEqual([]);
  await pointer.fill(screen.getByLabelText('Email'), ' leena@example.fi {Enter}');
  expect(await screen.findByText(/If leena@example.fi has an account/)).toBeVisible();
  expect(sent).toEqual([{ email: 'leena@example.fi' }]);
});

const open = async (user = aUser()) => {
  const page = await renderAt(link, { user });
  expect(await screen.findByLabelText('Email')).toHaveValue('leena@example.fi');
  const set = async () => {
    await page.pointer.fill(screen.getByLabelText('New password'), 'seven grey stones');
    await page.pointer.fill(screen.getByLabelText('New password again'), 'seven grey stones{Enter}');
  };
  return { ...page, set };
};

test('with a token it takes a new password, and the session of this device is over', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(content('/users/password_changes/'), async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { router, set, store } = await open();
  expect(router.state.location).toMatchObject({ search: '', hash: '' });
  await set();
  expect(await screen.findByText('The password is changed')).toBeVisible();
  expect(sent).toEqual([{ email: 'leena@example.fi', token: 'ABC', new_password: 'seven grey stones' }]);
  expect(selectUser(store.getState())).toBeNull();
});

test('the link of an older mail, with its token in the query, is taken out of the address too', async () => {
  const { router } = await renderAt('/en/password-reset/?token=ABC#email=leena@example.fi');
  expect(await screen.findByLabelText('Email')).toHaveValue('leena@example.fi');
  expect(router.state.location).toMatchObject({ search: '', hash: '' });
});

test('a link that was used or is too old says so, and another one can be asked for', async () => {
  server.use(http.post(content('/users/password_changes/'), () => refusal('email_link_expired', 410)));
  const { pointer, set } = await open();
  await set();
  await waitFor(() =>
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/has been used or has expired/),
  );
  await pointer.click(screen.getByRole('button', { name: 'Ask for a new link' }));
  expect(await screen.findByRole('button', { name: 'Send the link' })).toBeVisible();
});
