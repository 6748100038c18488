import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

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
      return HttpResponse.json({ outcome: 'confirmed' });
    }),
  );
  const { pointer } = await renderAt(`${prefix}verify-email/#token=TOKEN`, { user: aUser() });
  const button = await screen.findByRole('button', { name: press });
  expect(used).toEqual([]);
  await pointer.click(button);
  expect(await screen.findByText(done)).toBeVisible();
  expect(used).toEqual([{ token: 'TOKEN', merge: false }]);
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

test('a visitor signs in first; without a token the page says where the link is', async () => {
  const { pointer, unmount } = await renderAt('/en/verify-email/#token=TOKEN');
  await pointer.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('dialog', { name: 'Sign in' })).toBeVisible();
  unmount();
  await renderAt('/en/verify-email/');
  expect(await screen.findByText(/the link in your email/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'To the home page' })).toHaveAttribute('href', '/en/');
});

test('when another account has confirmed the address, what this one has goes there only when asked to', async () => {
  const used: unknown[] = [];
  server.use(
    http.post(content('/users/verifications/'), async ({ request }) => {
      const body = (await request.json()) as { merge: boolean };
      used.push(body);
      return body.merge ? HttpResponse.json({ outcome: 'merged' }) : refusal('email_taken', 409);
    }),
  );
  const { pointer } = await renderAt('/en/verify-email/#token=TOKEN', { user: aUser({ verified: false }) });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText(/Another account has confirmed/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Bring it over' }));
  expect(await screen.findByText(/now in your earlier account/)).toBeVisible();
  expect(used).toEqual([
    { token: 'TOKEN', merge: false },
    { token: 'TOKEN', merge: true },
  ]);
});

test('while accounts are brought together, what was asked stands and the button keeps the focus', async () => {
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  server.use(
    http.post(content('/users/verifications/'), async ({ request }) => {
      const { merge } = (await request.json()) as { merge: boolean };
      if (!merge) return refusal('email_taken', 409);
      await isAnswered;
      return HttpResponse.json({ outcome: 'merged' });
    }),
  );
  const { pointer } = await renderAt('/en/verify-email/#token=TOKEN', { user: aUser({ verified: false }) });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  const together = await screen.findByRole('button', { name: 'Bring it over' });
  await pointer.click(together);
  expect(together).toBeVisible();
  expect(together).toHaveAttribute('aria-busy', 'true');
  expect(together).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Confirm the address' })).not.toBeInTheDocument();
  answer();
  expect(await screen.findByText(/now in your earlier account/)).toBeVisible();
});

test('who is signed in to the account that has confirmed the address brings the other one into this one', async () => {
  server.use(
    http.post(content('/users/verifications/'), async ({ request }) => {
      const { merge } = (await request.json()) as { merge: boolean };
      return merge ? HttpResponse.json({ outcome: 'merged' }) : refusal('email_taken', 409);
    }),
  );
  const { pointer } = await renderAt('/en/verify-email/#token=TOKEN', { user: aUser({ verified: true }) });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText(/You have confirmed this address already/)).toBeVisible();
  expect(screen.queryByText(/Another account has confirmed/)).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Bring it here' }));
  expect(await screen.findByText('What you pledged and began there is now in this account.')).toBeVisible();
});

test('a link of another address says with which account it is good', async () => {
  server.use(http.post(content('/users/verifications/'), () => refusal('email_link_other', 409)));
  const { pointer } = await renderAt('/en/verify-email/#token=TOKEN', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText(/sent to another address/)).toBeVisible();
});

test('a failure of the network leaves the button to try again', async () => {
  server.use(http.post(content('/users/verifications/'), () => HttpResponse.error(), { once: true }));
  const { pointer } = await renderAt('/en/verify-email/#token=TOKEN', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByRole('alert')).toBeVisible();
  server.use(http.post(content('/users/verifications/'), () => HttpResponse.json({ outcome: 'confirmed' })));
  await pointer.click(screen.getByRole('button', { name: 'Confirm the address' }));
  expect(await screen.findByText(/The address is confirmed/)).toBeVisible();
});
