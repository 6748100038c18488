import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../test/builders';
import { now } from '../../test/clock';
import { pressSignOut } from '../../test/menu';
import { anOwnProfile, serveOwnProfile } from '../../test/people';
import { renderAt } from '../../test/render';
import { content, refusal, server, serveNothing } from '../../test/server';
import { selectUser, sessionEnded, signedIn } from '../api/session';

beforeEach(serveNothing);
afterEach(() => window.sessionStorage.clear());

const signInAs = (user = aUser()) =>
  server.use(
    http.post(content('/users/tokens/'), () =>
      HttpResponse.json({ token: { string: 't', expires_at: '2026-11-21T00:00:00Z' }, user }),
    ),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );

const fillAndSend = async (pointer: Awaited<ReturnType<typeof renderAt>>['pointer']) => {
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.fill(dialog.getByLabelText('Email'), 'leena@example.fi');
  await pointer.fill(dialog.getByLabelText('Password'), 'right horse');
  await pointer.click(dialog.getByRole('button', { name: 'Sign in' }));
};

describe('a dialog by its name in the address', () => {
  test.each([
    ['/en/info/money/#sign-in', undefined, 'Sign in'],
    ['/en/info/money/#sign-up', undefined, 'Create an account'],
    ['/en/info/money/#sign-out', aUser(), 'Sign out?'],
  ])('%s opens it, and Escape takes the name out of the address', async (address, user, name) => {
    const { pointer, router } = await renderAt(address, { user });
    expect(await screen.findByRole('dialog', { name })).toBeVisible();
    await pointer.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location).toMatchObject({ pathname: '/en/info/money/', hash: '' });
  });

  test('the header’s button opens it by its name; Escape and the back button close it, and the button has the focus', async () => {
    const { pointer, router } = await renderAt('/en/info/money/?from=home');
    const opener = screen.getByRole('button', { name: 'Sign in' });
    for (const close of [() => pointer.keyboard('{Escape}'), () => act(() => router.navigate(-1))]) {
      await pointer.click(opener);
      expect(await screen.findByRole('dialog', { name: 'Sign in' })).toBeVisible();
      expect(router.state.location).toMatchObject({ search: '?from=home', hash: '#sign-in' });
      await close();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(router.state.location).toMatchObject({ search: '?from=home', hash: '' }));
      await waitFor(() => expect(opener).toHaveFocus());
    }
  });

  test('going over to the form for a new account keeps what was typed and has its own name', async () => {
    const { pointer, router } = await renderAt('/en/info/money/#sign-in');
    await pointer.fill(within(await screen.findByRole('dialog')).getByLabelText('Email'), 'a@b.fi');
    await pointer.click(screen.getByRole('button', { name: 'Create an account' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create an account' }));
    await waitFor(() => expect(router.state.location.hash).toBe('#sign-up'));
    expect(dialog.getByLabelText('Email')).toHaveValue('a@b.fi');
  });

  test('signing in takes the name out of the address, and the page stays', async () => {
    signInAs();
    const { pointer, router, store } = await renderAt('/en/info/money/#sign-in');
    await fillAndSend(pointer);
    await waitFor(() => expect(selectUser(store.getState())?.user_id).toBe(7));
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: '/en/info/money/', hash: '' }),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['/en/info/money/#sign-in', aUser()],
    ['/en/info/money/#sign-out', undefined],
  ])('%s that has nothing to do is taken out of the address', async (address, user) => {
    const { router } = await renderAt(address, { user });
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('signing out', () => {
  test('is done at once when nothing would be lost', async () => {
    signInAs();
    const { pointer, store } = await renderAt('/en/info/money/', { user: aUser() });
    await pressSignOut(pointer);
    await waitFor(() => expect(selectUser(store.getState())).toBeNull());
    expect(await screen.findByText('You are signed out')).toBeVisible();
  });

  test('asks first when something is not saved; staying keeps it, going on leads away without a second question', async () => {
    signInAs();
    serveOwnProfile(anOwnProfile({ short_description: '', skills: [] }));
    server.use(http.get(content('/users/7/profile'), () => refusal('not_found', 404)));
    const { pointer, router, store } = await renderAt('/en/profile/me/', { user: aUser() });
    await pointer.fill(await screen.findByLabelText('First name'), ' Maria');
    await pressSignOut(pointer);
    const stay = await screen.findByRole('button', { name: 'Stay signed in' });
    await pointer.click(stay);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(selectUser(store.getState())).not.toBeNull();
    expect(screen.getByLabelText('First name')).toHaveValue('Leena Maria');

    await pressSignOut(pointer);
    const dialog = within(await screen.findByRole('dialog', { name: 'Sign out?' }));
    await pointer.click(dialog.getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/en/', hash: '' }));
    expect(selectUser(store.getState())).toBeNull();
  });
});

describe('a session that has expired', () => {
  const open = async () => {
    serveOwnProfile();
    const page = await renderAt('/en/profile/me/', { user: aUser() });
    await page.pointer.fill(await screen.findByLabelText('First name'), ' Maria');
    act(() => void page.store.dispatch(sessionEnded('expired')));
    return page;
  };

  test('is told until one signs in again, and one goes on with what was typed', async () => {
    signInAs();
    const { pointer, router } = await open();
    expect(await screen.findByText(/Your session has ended/)).toBeVisible();
    expect(screen.getByLabelText('First name')).toHaveValue('Leena Maria');
    await pointer.click(screen.getByRole('button', { name: 'Sign in again' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText('Email')).toHaveValue(aUser().email);
    await fillAndSend(pointer);
    await waitFor(() => expect(screen.queryByText(/Your session has ended/)).toBeNull());
    expect(screen.getByLabelText('First name')).toHaveValue('Leena Maria');
    expect(router.state.location.pathname).toBe('/en/profile/me/');
  });

  test('leaves nothing of what was typed to another person', async () => {
    const { store } = await open();
    serveOwnProfile(anOwnProfile({ user_id: 8, first_name: 'Bo' }));
    const token = { string: 'other', timestamp: now };
    act(() => void store.dispatch(signedIn({ token, user: aUser({ user_id: 8, first_name: 'Bo' }) })));
    await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Bo'));
  });

  test('is told once: the notice can be closed', async () => {
    const { pointer } = await open();
    await screen.findByText(/Your session has ended/);
    await pointer.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
  });
});

test('what somebody typed into a form that no account is needed for stays when they sign in', async () => {
  signInAs();
  const { pointer } = await renderAt('/en/campaigns/');
  const box = screen.getByRole('searchbox');
  await pointer.type(box, 'sauna');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  await fillAndSend(pointer);
  expect(await screen.findByRole('button', { name: /Leena.*, Menu/ })).toBeVisible();
  expect(screen.getByRole('searchbox')).toHaveValue('sauna');
});
