import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { pressSignOut } from '../../../test/menu';
import { aPublicProfile, anOwnProfile, serveOwnProfile } from '../../../test/people';
import { renderAt } from '../../../test/render';
import { content, refusal, serveNothing, server, untilQuiet } from '../../../test/server';
import { people } from '../../api/people';

const open = async (user = aUser()) => {
  const page = await renderAt('/profile/me/', { user });
  await screen.findByLabelText('Etunimi');
  return page;
};
const saveButton = () => screen.getByRole('button', { name: 'Tallenna muutokset' });

// Notices of the tests before would stand in the way: the kit shows a few at a time.
afterEach(() => notifications.clean());

test('who is not signed in is asked to sign in', async () => {
  await renderAt('/profile/me/');
  expect(await screen.findByText('Kirjaudu, niin pääset profiiliisi')).toBeVisible();
});

test('only what has changed is sent, each by its own call, and the name in the header follows', async () => {
  const calls = serveOwnProfile();
  const { pointer, store } = await open();
  expect(screen.queryByRole('button', { name: 'Tallenna muutokset' })).not.toBeInTheDocument();
  await pointer.fill(screen.getByLabelText('Etunimi'), ' Maria');
  await pointer.fill(screen.getByLabelText('Uusi taito'), 'Hitsaus{Enter}');
  await pointer.click(screen.getByRole('combobox', { name: 'Lisää avainsana' }));
  await pointer.click(await screen.findByRole('option', { name: 'villa' }));
  expect(screen.getByText('3 tallentamatonta muutosta')).toBeVisible();
  await pointer.click(saveButton());
  await waitFor(() =>
    expect(calls).toEqual([
      { path: '/users/me/profile', body: { first_name: 'Leena Maria' } },
      { path: '/users/me/skills/', body: { skills: ['Kutominen', 'Hitsaus'] } },
      { path: '/users/me/tags/', body: { tags: [4] } },
    ]),
  );
  await waitFor(() => expect(store.getState().session.user?.first_name).toBe('Leena Maria'));
  expect(screen.queryByRole('button', { name: 'Tallenna muutokset' })).not.toBeInTheDocument();
});

test('another tab’s change is in the way only of the same field', async () => {
  serveOwnProfile();
  const asked: (string | null)[] = [];
  /** The first change is refused, because another tab has changed this field and made this version. */
  const changedElsewhere = (path: string, version: number) => {
    asked.length = 0;
    server.use(
      http.get(content('/users/me/profile'), () =>
        HttpResponse.json({ profile: { ...anOwnProfile(), version } }),
      ),
      http.patch(content('/users/me/profile'), ({ request }) => {
        asked.push(request.headers.get('If-Match'));
        return asked.length > 1
          ? undefined
          : refusal('changed_meanwhile', 412, {
              fields: [{ path, rule: 'changed_meanwhile', message: 'Joku muu on muuttanut tätä.' }],
            });
      }),
    );
  };
  const { pointer } = await open();
  changedElsewhere('skills', 9);
  await pointer.fill(screen.getByLabelText('Etunimi'), ' Maria');
  await pointer.click(saveButton());
  expect(await screen.findByText('Profiili on tallennettu.')).toBeVisible();
  expect(asked).toEqual(['"1"', '"9"']);
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Tallenna muutokset' })).not.toBeInTheDocument(),
  );

  changedElsewhere('first_name', 12);
  await pointer.fill(screen.getByLabelText('Etunimi'), ' Elina');
  await pointer.click(saveButton());
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(await screen.findByText(/Joku muu on muuttanut tätä/)).toBeVisible();
  await pointer.click(saveButton());
  await waitFor(() => expect(asked[1]).toBe('"12"'));
});

test('what was saved is shown before the profile is read anew', async () => {
  serveOwnProfile();
  const { pointer } = await open();
  server.use(http.get(content('/users/me/profile'), async () => (await delay('infinite'), undefined)));
  await pointer.fill(screen.getByLabelText('Uusi taito'), 'Hitsaus{Enter}');
  await pointer.click(saveButton());
  expect(await screen.findByText('Profiili on tallennettu.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Poista Hitsaus' })).toBeVisible();
});

test('link rows with both address and title empty are dropped; one without an address is said at its field', async () => {
  const calls = serveOwnProfile();
  const { pointer } = await open();
  const add = screen.getByRole('button', { name: /Lisää linkki/ });
  await pointer.click(add);
  await pointer.click(add);
  expect(screen.queryByRole('button', { name: 'Tallenna muutokset' })).not.toBeInTheDocument();
  await pointer.fill(screen.getAllByLabelText('Linkin nimi')[1]!, 'Instagram');
  await pointer.click(saveButton());
  expect(await screen.findByText('Verkko- tai sähköpostiosoite.')).toBeVisible();
  expect(calls).toEqual([]);
  await pointer.fill(screen.getAllByLabelText('Linkin osoite')[1]!, 'instagram.com/leena');
  await pointer.click(saveButton());
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: '/users/me/links/',
        body: {
          links: [
            { url: 'https://posti.example.fi', title: 'Posti' },
            { url: 'instagram.com/leena', title: 'Instagram' },
          ],
        },
      },
    ]),
  );
});

test('a refusal is shown at its field, and nothing typed is lost', async () => {
  serveOwnProfile();
  server.use(
    http.patch(content('/users/me/profile'), () =>
      refusal('invalid_fields', 422, {
        fields: [{ path: 'first_name', rule: 'name_reserved', message: 'Käytä omaa nimeäsi.' }],
      }),
    ),
  );
  const { pointer } = await open();
  await pointer.clear(screen.getByLabelText('Etunimi'));
  await pointer.fill(screen.getByLabelText('Etunimi'), 'Talkoot');
  await pointer.click(saveButton());
  expect(await screen.findByText('Käytä omaa nimeäsi.')).toBeVisible();
  expect(screen.getByLabelText('Etunimi')).toHaveValue('Talkoot');
});

test('after a part could not be saved, one’s own saved part is not in the way', async () => {
  serveOwnProfile();
  let version = 1;
  const asked: (string | null)[] = [];
  const links = [() => refusal('unavailable', 503), () => undefined];
  server.use(
    http.patch(content('/users/me/profile'), ({ request }) => {
      asked.push(request.headers.get('If-Match'));
      version += 1;
      return HttpResponse.json({ profile: anOwnProfile({ first_name: 'Leena Maria', version }) });
    }),
    http.post(content('/users/me/links/'), () => links.shift()?.()),
  );
  const { pointer } = await open();
  await pointer.fill(screen.getByLabelText('Etunimi'), ' Maria');
  await pointer.click(screen.getByRole('button', { name: /Lisää linkki/ }));
  await pointer.fill(screen.getAllByLabelText('Linkin osoite')[1]!, 'instagram.com/leena');
  await pointer.click(saveButton());
  await waitFor(() => expect(links).toHaveLength(1));
  await waitFor(() => expect(saveButton()).not.toHaveAttribute('aria-busy'));
  await pointer.click(saveButton());
  expect(await screen.findByText('Profiili on tallennettu.')).toBeVisible();
  expect(asked).toEqual(['"1"', '"2"']);
});

test('what is typed stays when the session ends meanwhile', async () => {
  serveOwnProfile();
  server.use(http.patch(content('/users/me/profile'), () => refusal('token_expired', 401)));
  const { pointer, router } = await open();
  await pointer.fill(screen.getByLabelText('Esittely'), ' Ja vihdoin.');
  await pointer.click(saveButton());
  expect(await screen.findByRole('dialog')).toBeVisible();
  expect(router.state.location.pathname).toBe('/profile/me/');
  expect(screen.getByLabelText('Esittely')).toHaveValue('Eläkkeellä postista. Ja vihdoin.');
});

test('settings are saved at once; mail about money has no switch', async () => {
  const calls = serveOwnProfile();
  const { pointer } = await open();
  const mail = within(screen.getByRole('region', { name: 'Mitä postia saat' }));
  expect(mail.getByText('Aina')).toBeVisible();
  await pointer.click(mail.getByRole('switch', { name: 'Tukemieni kampanjoiden kuulumiset' }));
  await pointer.selectOptions(mail.getByLabelText('Postin kieli'), 'Svenska');
  await waitFor(() =>
    expect(calls).toEqual([
      { path: '/users/me/settings/', body: { mail: { letters: false } } },
      { path: '/users/me/settings/', body: { language: 'sv' } },
    ]),
  );
});

test('a picture is taken away by its empty name', async () => {
  const calls = serveOwnProfile(
    anOwnProfile({ image_collection: { profile: { filename: 'leena.jpg', url: '' } } }),
  );
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Poista kuva' }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: '/users/me/profile/image_collection',
        body: { image_collection: { profile: { filename: '' } } },
      },
    ]),
  );
});

test.each([
  ['who signs out on their own profile goes on to their public page', aUser()],
  ['so does staff, of whom everything is forgotten', aUser({ scope: ['view', 'edit', 'admin'] })],
])('%s', async (_, user) => {
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
  );
  serveOwnProfile();
  server.use(
    http.get(content('/users/7/profile'), () =>
      HttpResponse.json({ profile: aPublicProfile({ user_id: 7 }) }),
    ),
  );
  server.use(http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })));
  const { pointer, router } = await open(user);
  await pressSignOut(pointer);
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/7/'));
});

test('whose public page is asked for while everything is being forgotten is led there, too', async () => {
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
  );
  serveOwnProfile();
  let asked = 0;
  server.use(
    http.get(content('/users/7/profile'), async () => {
      asked += 1;
      // The first question is forgotten before its answer.
      if (asked === 1) await delay('infinite');
      return HttpResponse.json({ profile: aPublicProfile({ user_id: 7 }) });
    }),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer, router } = await open(aUser({ scope: ['view', 'edit', 'admin'] }));
  await pressSignOut(pointer);
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/7/'));
});

test('so does who signs out while the profile is being read anew', async () => {
  serveOwnProfile();
  const { pointer, router, store } = await open();
  const answers: Record<string, () => void> = {};
  const held = (name: string, response: () => Response) => async () => {
    await new Promise<void>((resolve) => (answers[name] = resolve));
    return response();
  };
  const image = { profile: { filename: 'uusi.jpg', url: '' } };
  const fresh = anOwnProfile({ image_collection: image, version: 2 });
  server.use(
    http.get(content('/users/7/profile'), () =>
      HttpResponse.json({ profile: aPublicProfile({ user_id: 7 }) }),
    ),
    http.get(
      content('/users/me/profile'),
      held('profile', () => HttpResponse.json({ profile: fresh })),
    ),
    http.delete(
      content('/users/tokens/'),
      held('signOut', () => new HttpResponse(null, { status: 204 })),
    ),
  );
  act(() => void store.dispatch(people.util.invalidateTags(['Own'])));
  await waitFor(() => expect(answers).toHaveProperty('profile'));
  await pressSignOut(pointer);
  await waitFor(() => expect(answers).toHaveProperty('signOut'));
  answers.profile?.();
  const pictures = () => screen.getAllByRole('presentation').map((one) => one.getAttribute('src') ?? '');
  await waitFor(() => expect(pictures().join()).toContain('uusi'));
  answers.signOut?.();
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/7/'));
});

test('a creator without an introduction has a public page, too', async () => {
  serveNothing();
  serveOwnProfile(anOwnProfile({ short_description: '', skills: [], experiments: [] }));
  server.use(
    http.get(content('/users/7/profile'), () =>
      HttpResponse.json({ profile: aPublicProfile({ user_id: 7 }) }),
    ),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer, router } = await open();
  await pressSignOut(pointer);
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/7/'));
});

test('who goes on themself while the server is asked stays there', async () => {
  serveNothing();
  serveOwnProfile();
  let answer: (() => void) | undefined;
  server.use(
    http.get(content('/users/7/profile'), async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return HttpResponse.json({ profile: aPublicProfile({ user_id: 7 }) });
    }),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer, router } = await open();
  await pressSignOut(pointer);
  await waitFor(() => expect(answer).toBeDefined());
  await act(() => router.navigate('/tietoa/'));
  answer?.();
  await act(untilQuiet);
  expect(router.state.location.pathname).toBe('/tietoa/');
});

test('who has no public page is led home', async () => {
  serveNothing();
  serveOwnProfile(anOwnProfile({ short_description: '', skills: [] }));
  server.use(
    http.get(content('/users/7/profile'), () => refusal('not_found', 404)),
    http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer, router } = await open();
  await pressSignOut(pointer);
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});
