import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';

const expired = { status: 'email_link_expired', message: '', request_id: 'r' };

test.each([
  ['/', 'Vahvista osoite', /Osoite on vahvistettu/],
  ['/en/', 'Confirm the address', /The address is confirmed/],
  ['/sv/', 'Bekräfta adressen', /Adressen är bekräftad/],
])('opening the link to %sverify-email/ confirms nothing, its button does', async (prefix, press, done) => {
  const used: unknown[] = [];
  server.use(
    http.post(content('/users/verifications/'), async ({ request }) => {
      used.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { pointer } = await renderAt(`${prefix}verify-email/#token=TOKEN`, { user: aUser() });
  const button = await screen.findByRole('button', { name: press });
  expect(used).toEqual([]);
  await pointer.click(button);
  expect(await screen.findByText(done)).toBeVisible();
  expect(used).toEqual([{ token: 'TOKEN' }]);
  expect(screen.queryByRole('button', { name: press })).not.toBeInTheDocument();
});

test('an expired link says so, and a signed-in user can get a new one', async () => {
  let asked = 0;
  server.use(
    http.post(content('/users/verifications/'), () => HttpResponse.json(expired, { status: 410 })),
    http.post(content('/users/me/verification/'), () => {
      asked += 1;
      return new HttpResponse(null, { status: 202 });
    }),
  );
  const { pointer } = await renderAt('/en/verify-email/#token=OLD', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText(/has been used or has expired/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Send a new link' }));
  expect(await screen.findByText('A new link is on its way to leena@example.fi.')).toBeVisible();
  expect(asked).toBe(1);
});

test('for an expired link a visitor is told to sign in; without a token the page says where the link is', async () => {
  server.use(http.post(content('/users/verifications/'), () => HttpResponse.json(expired, { status: 410 })));
  const { pointer, unmount } = await renderAt('/en/verify-email/#token=OLD');
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  await waitFor(() => expect(screen.getByText(/Sign in, and we send/)).toBeVisible());
  unmount();
  await renderAt('/en/verify-email/');
  expect(await screen.findByText(/the link in your email/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'To the home page' })).toHaveAttribute('href', '/en/');
});
