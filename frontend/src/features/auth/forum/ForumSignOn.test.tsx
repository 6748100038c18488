import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { renderAt } from '../../../../test/render';
import { content, refusal, server, untilQuiet } from '../../../../test/server';
import { sessionEnded } from '../../../api/session';

const link = 'forum/sso/?sso=bm9uY2U9YQ%3D%3D%0A&sig=5e1f';

afterEach(() => window.history.replaceState(null, '', '/'));

/**
 * Answers the forum's requests with these in turn, then with `taken`. The tests' browser can go to fragments
 * of its own address only, so the forum is one.
 */
function serveForum(...answers: (() => Response)[]) {
  const asked: unknown[] = [];
  server.use(
    http.post(content('/users/sso/discourse/'), async ({ request }) => {
      asked.push(await request.json());
      return (answers[asked.length - 1] ?? taken)();
    }),
  );
  return asked;
}

const taken = () =>
  HttpResponse.json({
    sso_string: 'sso=cGF5bG9hZA%3D%3D&sig=abcd',
    return_url: 'http://localhost:8080/#forum',
  });
const atForum = '#forum?sso=cGF5bG9hZA%3D%3D&sig=abcd';

test.each(['/', '/en/', '/sv/'])(
  'at %sforum/sso/ the request is brought once, and the answer is taken to the forum in place of the page',
  async (prefix) => {
    const asked = serveForum();
    const entries = window.history.length;
    await renderAt(prefix + link, { user: aUser() });
    await waitFor(() => expect(window.location.hash).toBe(atForum));
    await act(untilQuiet); // The page is rendered once more after that.
    expect(asked).toEqual([{ sso: 'bm9uY2U9YQ==\n', sig: '5e1f' }]);
    expect(window.history.length).toBe(entries);
    expect(screen.getByRole('status')).toHaveTextContent(/./);
  },
);

test('who is not signed in signs in first and then goes on by itself', async () => {
  const asked = serveForum();
  server.use(
    http.post(content('/users/tokens/'), () =>
      HttpResponse.json({
        token: { string: 'token', expires_at: new Date(now).toISOString() },
        user: aUser(),
      }),
    ),
  );
  const { pointer } = await renderAt(`/en/${link}`);
  const dialog = await screen.findByRole('dialog', { name: 'Sign in' });
  expect(dialog).toHaveTextContent('So that you can go on to the forum.');
  await act(untilQuiet);
  expect(asked).toEqual([]);

  await pointer.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await pointer.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign in' }));
  const again = await screen.findByRole('dialog', { name: 'Sign in' });
  await pointer.fill(within(again).getByLabelText('Email'), 'leena@example.fi');
  await pointer.fill(within(again).getByLabelText('Password'), 'a good password');
  await pointer.click(within(again).getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(window.location.hash).toBe(atForum));
  expect(asked).toHaveLength(1);
});

test.each([
  ['forum_link_used', 410, /has been used. Go back to the forum/],
  ['forum_link_invalid', 400, /is not valid. Go back to the forum/],
  ['no_forum', 404, /has no discussion forum/],
])('%s is said, with a way home, and nothing is tried again', async (status, code, words) => {
  const asked = serveForum(() => refusal(status, code));
  await renderAt(`/en/${link}`, { user: aUser() });
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  expect(screen.getByRole('link', { name: 'To the home page' })).toHaveAttribute('href', '/en/');
  await act(untilQuiet);
  expect(asked).toHaveLength(1);
  expect(window.location.hash).toBe('');
});

test('with an unconfirmed address one can get the link again, and go on once it is confirmed', async () => {
  const asked = serveForum(() => refusal('address_unconfirmed', 403));
  let mailed = 0;
  server.use(
    http.post(content('/users/me/verification/'), () => {
      mailed += 1;
      return new HttpResponse(null, { status: 202 });
    }),
  );
  const { pointer } = await renderAt(`/en/${link}`, { user: aUser() });
  expect(await screen.findByRole('alert')).toHaveTextContent('Confirm your own email address first');
  await pointer.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect(await screen.findByText('A new link is on its way to leena@example.fi.')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'I have confirmed the address' }));
  await waitFor(() => expect(window.location.hash).toBe(atForum));
  expect([asked.length, mailed]).toEqual([2, 1]);
});

test('a failure of the network is said, and the person tries again', async () => {
  const asked = serveForum(() => HttpResponse.error());
  const { pointer } = await renderAt(`/en/${link}`, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(window.location.hash).toBe(atForum));
  expect(asked).toHaveLength(2);
});

test('an ended session leads to signing in', async () => {
  serveForum(() => refusal('token_expired', 401));
  await renderAt(`/en/${link}`, { user: aUser() });
  expect(await screen.findByRole('dialog', { name: 'Sign in' })).toBeVisible();
});

test('after signing out the request is not brought for nobody', async () => {
  const asked = serveForum(() => refusal('forum_link_used', 410));
  const { store } = await renderAt(`/en/${link}`, { user: aUser() });
  await screen.findByRole('alert');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(await screen.findByRole('dialog', { name: 'Sign in' })).toBeVisible();
  await act(untilQuiet);
  expect(asked).toHaveLength(1);
});

test.each(['/en/forum/sso/', '/en/forum/sso/?sso=a', '/en/forum/sso/?sig=a'])(
  '%s says that one comes here from the forum',
  async (address) => {
    await renderAt(address, { user: aUser() });
    expect(await screen.findByText(/Open the forum and log in there/)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  },
);
