import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, server, serveNothing } from '../../../../test/server';

beforeEach(() => {
  serveNothing();
  server.use(
    http.post(content('/users/tokens/'), () =>
      HttpResponse.json({ token: { string: 't', expires_at: '2026-11-21T00:00:00Z' }, user: aUser() }),
    ),
  );
});

test.each([
  ['the page that the link names', '/en/sign-in/?next=%2Fen%2Finfo%2Fpricing%2F', '/en/info/pricing/'],
  ['the home page, if the link names a page elsewhere', '/en/sign-in/?next=https://evil.example/', '/en/'],
  ['the home page, if it names none', '/en/sign-in/', '/en/'],
])('signing in on the page leads to %s', async (_, address, to) => {
  const { pointer, router } = await renderAt(address);
  expect(screen.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await pointer.fill(screen.getByLabelText('Email'), 'leena@example.fi');
  await pointer.fill(screen.getByLabelText('Password'), 'right horse{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(to));
});

test('whoever is signed in already goes on at once', async () => {
  const { router } = await renderAt('/en/sign-in/?next=/en/info/pricing/', { user: aUser() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/info/pricing/'));
});

test('an account can be made there, too', async () => {
  const { pointer } = await renderAt('/en/sign-in/');
  await pointer.fill(screen.getByLabelText('Email'), 'leena@example.fi');
  await pointer.click(screen.getByRole('button', { name: 'Create an account' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('leena@example.fi');
});
