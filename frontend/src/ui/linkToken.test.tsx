import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../test/builders';
import { renderAt } from '../../test/render';
import { content, server } from '../../test/server';

const invitation = {
  campaign_id: 3,
  slug: 'hoyry',
  title: 'Höyry',
  invited_by: 'Reijo K',
  email: 'a@example.fi',
  expires_at: '2026-12-04T12:00:00Z',
  as_creator: false,
};

/** Serves the endpoints that the three pages call, and records the tokens that they get. */
function serve() {
  const used: string[] = [];
  server.use(
    http.get(content('/campaigns/invitations/:token/'), ({ params }) => {
      used.push(String(params.token));
      return HttpResponse.json({ invitation });
    }),
    http.post(content('/letters/:token/unsubscribe/'), ({ params }) => {
      used.push(String(params.token));
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(content('/users/verifications/'), async ({ request }) => {
      used.push(((await request.json()) as { token: string }).token);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return used;
}

const pages = [
  ['invitation', 'Liity tiimiin', false],
  ['letters', 'En halua kirjeitä', true],
  ['verify-email', 'Vahvista osoite', true],
] as const;

test.each(pages)(
  '%s: the token is read from the fragment and removed from the address',
  async (page, button, isPressed) => {
    const used = serve();
    const { pointer, router } = await renderAt(`/${page}/#token=abc-_1`, { user: aUser() });
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(router.state.location.search).toBe('');
    const press = await screen.findByRole('button', { name: button });
    if (isPressed) await pointer.click(press);
    await waitFor(() => expect(used).toEqual(['abc-_1']));
  },
);

test.each(pages)('%s: a token in the query is ignored', async (page, button) => {
  const used = serve();
  await renderAt(`/${page}/?token=abc`, { user: aUser() });
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('button', { name: button })).not.toBeInTheDocument();
  expect(used).toEqual([]);
});

test('switching the language keeps the token', async () => {
  const used = serve();
  const { pointer, router } = await renderAt('/letters/#token=abc', { user: aUser() });
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  await pointer.click(screen.getAllByRole('link', { name: 'EN' })[0]!);
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/letters/'));
  await pointer.click(await screen.findByRole('button', { name: /letters/ }));
  await waitFor(() => expect(used).toEqual(['abc']));
});

test('a member who is asked to become the creator is told what that means, and nobody makes an account for it', async () => {
  serve();
  const asked = { ...invitation, as_creator: true };
  server.use(
    http.get(content('/campaigns/invitations/:token/'), () => HttpResponse.json({ invitation: asked })),
  );
  await renderAt('/en/invitation/#token=abc');
  expect(await screen.findByText('Reijo K asks you to become the campaign’s creator.')).toBeVisible();
  expect(screen.getByText(/Nothing changes until you agree/)).toBeVisible();
  const main = within(screen.getByRole('main'));
  expect(main.getAllByRole('button').map((button) => button.textContent)).toEqual(['Sign in and answer']);
});
