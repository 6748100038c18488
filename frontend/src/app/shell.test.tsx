import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../test/builders';
import { serveCampaign } from '../../test/campaigns';
import { pressSignOut } from '../../test/menu';
import { aSearchAnswer, serveSearch } from '../../test/search';
import { renderAt } from '../../test/render';
import { content, refusal, server, serveNothing } from '../../test/server';
import { selectUser } from '../api/session';
import { browserMemory } from '../features/pledging/flow/browserMemory';
import { keepPledge, keptPledge, readDraft, saveDraft } from '../features/pledging/storage';

beforeEach(serveNothing);

test('each language has its own addresses and texts', async () => {
  await renderAt('/sv/');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Tillsammans går det');
  expect(document.documentElement.lang).toBe('sv');
});

test('changing the language keeps the page and its query', async () => {
  const { pointer, router } = await renderAt('/info/money/?from=home');
  const english = screen.getByRole('link', { name: 'EN' });
  expect(english).toHaveAttribute('hreflang', 'en');
  await pointer.click(english);
  expect(await screen.findByRole('heading', { level: 1, name: 'How money moves' })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/en/info/money/', search: '?from=home' });
});

test('navigating sets the document title and moves the focus to the heading', async () => {
  const { pointer } = await renderAt('/en/');
  await pointer.click(screen.getByRole('link', { name: 'Pricing' }));
  const heading = await screen.findByRole('heading', { level: 1, name: 'Pricing' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(document.title).toBe('Pricing – Talkoot');
});

test.each(['/nothing/', '/en/nothing/here/', '/sv/info/nothing/'])(
  '%s shows the not-found page with a link home',
  async (address) => {
    await renderAt(address);
    const main = screen.getByRole('main');
    expect(within(main).getByText(/404/)).toBeVisible();
    expect(within(main).getByRole('link', { name: /Etusivulle|home page|startsidan/ })).toHaveAttribute(
      'href',
      address.startsWith('/en') ? '/en/' : address.startsWith('/sv') ? '/sv/' : '/',
    );
  },
);

test('the header’s search leads to the search page with the words in the address', async () => {
  serveSearch(() => aSearchAnswer());
  const { pointer, router } = await renderAt('/en/');
  await pointer.fill(screen.getByRole('searchbox', { name: 'Search Talkoot' }), 'sauna boat{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/search/'));
  expect(router.state.location.search).toBe('?q=sauna+boat');
});

test('the search page has one search field, and the header’s search icon focuses it', async () => {
  const { pointer } = await renderAt('/en/');
  await pointer.click(screen.getByRole('link', { name: 'Search Talkoot' }));
  await screen.findByRole('heading', { level: 1, name: 'Search' });
  const box = screen.getByRole('searchbox');
  await waitFor(() => expect(box).toHaveFocus());
  expect(box).toHaveAccessibleName('Search Talkoot');
  expect(screen.getAllByRole('searchbox')).toHaveLength(1);
});

test('signing in shows validation errors, keeps what was typed after a refusal, and starts a session', async () => {
  let isRight = false;
  server.use(
    http.post(content('/users/tokens/'), () =>
      isRight
        ? HttpResponse.json({ token: { string: 't', expires_at: '2026-11-21T00:00:00Z' }, user: aUser() })
        : HttpResponse.json({ status: 'sign_in_failed', message: '', request_id: 'r' }, { status: 401 }),
    ),
  );
  const { pointer, store } = await renderAt('/en/');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in' }));
  const submit = dialog.getByRole('button', { name: 'Sign in' });

  await pointer.click(submit);
  const email = dialog.getByLabelText('Email');
  expect(email).toHaveFocus();
  expect(email).toHaveAccessibleDescription('This is needed.');

  await pointer.type(email, 'leena@example.fi');
  await pointer.type(dialog.getByLabelText('Password'), 'wrong horse');
  await pointer.click(submit);
  expect(await dialog.findByText(/does not match/)).toBeVisible();
  expect(email).toHaveValue('leena@example.fi');

  isRight = true;
  await pointer.click(submit);
  await waitFor(() => expect(selectUser(store.getState())?.first_name).toBe('Leena'));
  expect(await screen.findByRole('status')).toHaveTextContent('You are signed in');
});

test('an address that was not found is loaded again after signing in, such as one’s own draft', async () => {
  let isSignedIn = false;
  serveCampaign(aCampaign({ stage: 0, acl: ['view', 'edit'] }));
  server.use(
    http.post(content('/users/tokens/'), () => {
      isSignedIn = true;
      return HttpResponse.json({
        token: { string: 't', expires_at: '2026-11-21T00:00:00Z' },
        user: aUser(),
      });
    }),
    http.all(content('/campaigns/3/*'), () => (isSignedIn ? undefined : refusal('not_found', 404))),
  );
  const { pointer } = await renderAt('/3/hoyry/');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Tätä sivua ei löydy');
  const main = within(screen.getByRole('main'));
  expect(main.getByText(/Luonnoksen näkevät vain sen tekijät/)).toBeVisible();
  await pointer.click(main.getByRole('button', { name: 'Kirjaudu' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Kirjaudu sisään' }));
  await pointer.fill(dialog.getByLabelText('Sähköposti'), 'leena@example.fi');
  await pointer.fill(dialog.getByLabelText('Salasana'), 'right horse');
  await pointer.click(dialog.getByRole('button', { name: 'Kirjaudu' }));

  expect(await screen.findByRole('navigation', { name: 'Kampanjasivun näkymä' })).toBeVisible();
});

test('an email address typed into the sign-in form is kept when switching to sign-up and back', async () => {
  const { pointer } = await renderAt('/en/');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.fill(dialog.getByLabelText('Email'), 'a@b.fi');
  await pointer.click(dialog.getByRole('button', { name: 'Create an account' }));
  expect(await dialog.findByLabelText('First name')).toBeVisible();
  expect(dialog.getByLabelText('Email')).toHaveValue('a@b.fi');
  await pointer.type(dialog.getByLabelText('Email'), 'n');
  await pointer.click(dialog.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(dialog.queryByLabelText('First name')).not.toBeInTheDocument());
  expect(dialog.getByLabelText('Email')).toHaveValue('a@b.fin');
});

test('signing out removes everything stored about the person', async () => {
  server.use(http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })));
  saveDraft(3, { address_street: 'Rantatie 1' });
  keepPledge({ pledgeId: '01JD0000000000000000000001', campaignId: 3 });
  const memoryOf = (who: number | undefined) =>
    browserMemory(
      3,
      () => who,
      () => 'random',
      () => 0,
    );
  const [memory, ofGuest] = [memoryOf(7), memoryOf(undefined)];
  const key = memory.keyOf('a pledge');
  memory.setUnderWay({ pledgeId: '01JD0000000000000000000001', amount: 20, at: 0 });
  ofGuest.setUnderWay({ pledgeId: '01JD0000000000000000000002', amount: 20, at: 0 });
  const { pointer, store } = await renderAt('/en/', { user: aUser() });
  await pressSignOut(pointer);
  await waitFor(() => expect(selectUser(store.getState())).toBeNull());
  expect(window.localStorage.getItem('tk-session')).toBeNull();
  // The next person at this computer must find neither the address nor the receipt.
  await waitFor(() => expect(readDraft(3)).toBeUndefined());
  expect(keptPledge(3)).toBeUndefined();
  expect(ofGuest.underWay()).toBeUndefined();
  // What opens nothing without their session is there when they are back.
  expect(memory.underWay()?.pledgeId).toBe('01JD0000000000000000000001');
  // Without it the same form still finds the same pledge, which is not paid twice.
  expect(memory.keyOf('a pledge')).toBe(key);
});

test('validation messages from the server are in the page’s language, also after it was changed', async () => {
  const words: Record<string, string> = { en: 'Too short.', sv: 'För kort.' };
  server.use(
    http.post(content('/users/tokens/'), ({ request }) => {
      const message = words[request.headers.get('Accept-Language') ?? ''] ?? '?';
      const fields = [{ path: 'password', rule: 'odd', message }];
      return HttpResponse.json(
        { status: 'invalid_fields', message, fields, request_id: 'r' },
        { status: 422 },
      );
    }),
  );
  const { pointer, router } = await renderAt('/en/');
  await act(() => router.navigate('/sv/'));
  await pointer.click(await screen.findByRole('button', { name: 'Logga in' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.fill(dialog.getByLabelText('E-post'), 'leena@example.fi');
  await pointer.type(dialog.getByLabelText('Lösenord'), 'x');
  await pointer.click(dialog.getByRole('button', { name: 'Logga in' }));
  expect(await dialog.findByText('För kort.')).toBeVisible();
});
