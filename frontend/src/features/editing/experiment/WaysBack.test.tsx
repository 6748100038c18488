import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { anAdmin, serveAdmin } from '../../../../test/experimentAdmin';
import { renderAt } from '../../../../test/render';
import { content, refusal, server, untilQuiet } from '../../../../test/server';
import { sessionEnded, signedIn } from '../../../api/session';

const open = async () => {
  const rendered = await renderAt('/experiments/41/tyokaluseina/edit/', { user: aUser() });
  await screen.findByRole('heading', { name: 'Vaihe' });
  return rendered;
};

afterEach(() => notifications.clean());

const aPerson = (user_id: number, first_name: string) => ({
  user_id,
  first_name,
  last_name: 'Haddad',
  short_description: 'Laskee asioita',
  language: 'fi',
  image: '/media/{width}x{height}/scene-x.svg',
  image_filename: '',
  verified: false,
  links: [],
  tags: [],
  counts: { campaigns: 0, experiments: 0, backed: 0 },
});

/** People who are found by a name; gives the keywords that were asked for. */
function servePeople() {
  const asked: string[] = [];
  server.use(
    http.get(content('/users/preview/'), ({ request }) => {
      const keyword = new URL(request.url).searchParams.get('keyword') ?? '';
      asked.push(keyword);
      const previews = [aPerson(8, 'Amira'), aPerson(9, 'Amir')].filter(({ first_name }) =>
        first_name.toLowerCase().startsWith(keyword.toLowerCase()),
      );
      return HttpResponse.json({ previews, total: previews.length });
    }),
  );
  return asked;
}

test('a person is found by name and added with the keyboard alone', async () => {
  const asked = servePeople();
  const calls = serveAdmin(
    anAdmin({ team: [{ user_id: 7, name: 'Noora', image: 'x', short_description: '' }] }),
  );
  const { pointer } = await open();
  const field = screen.getByRole('combobox', { name: 'Kutsu henkilö nimellä' });
  await pointer.fill(field, 'ami');
  expect(await screen.findByRole('option', { name: /Amira Haddad/ })).toBeVisible();
  expect(asked).toEqual(['ami']);
  expect(screen.getByText('2 henkilöä löytyi')).toBeInTheDocument();
  expect(field).toHaveAttribute('aria-expanded', 'true');
  await pointer.keyboard('{ArrowUp}');
  expect(screen.getByRole('option', { name: /Amir Haddad/ })).toHaveAttribute('aria-selected', 'true');
  await pointer.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  await pointer.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ path: 'settings/', body: { team: [7, 8] } }));
  await waitFor(() => expect(field).toHaveValue(''));
});

test('what is typed while a person is being added stays', async () => {
  servePeople();
  const calls = serveAdmin(
    anAdmin({ team: [{ user_id: 7, name: 'Noora', image: 'x', short_description: '' }] }),
  );
  let add: (() => void) | undefined;
  const added = new Promise<void>((resolve) => (add = resolve));
  server.use(http.patch(content('/experiments/41/settings/'), async () => (await added, undefined)));
  const { pointer } = await open();
  const field = screen.getByRole('combobox', { name: 'Kutsu henkilö nimellä' });
  await pointer.fill(field, 'ami');
  await screen.findByRole('option', { name: /Amira Haddad/ });
  await pointer.keyboard('{ArrowDown}{Enter}');
  const send = screen.getByRole('button', { name: 'Kutsu' });
  await waitFor(() => expect(send).toHaveAttribute('aria-busy'));
  await pointer.fill(field, ' noora');
  add?.();
  await waitFor(() => expect(send).not.toHaveAttribute('aria-busy'));
  await act(untilQuiet);
  expect(calls.at(-1)).toMatchObject({ path: 'settings/' });
  expect(field).toHaveValue('ami noora');
});

test('who is invited stands apart until they agree, and the invitation can be withdrawn', async () => {
  const calls = serveAdmin(
    anAdmin({
      team: [{ user_id: 7, name: 'Noora', image: 'x', short_description: '' }],
      invitations: [
        {
          user_id: 8,
          name: 'Amira',
          image: 'x',
          as_owner: false,
          invited_at: '2026-11-20T10:00:00Z',
          expires_at: '2026-12-04T10:00:00Z',
        },
      ],
    }),
  );
  const { pointer } = await open();
  expect(screen.getByText('kutsuttu, 4.12. asti')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Peru kutsu: Amira' }));
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ path: 'settings/', body: { invitations: [] } }));
});

test('where the owner has deleted their account, a member owns it by their own word, and asks nobody else', async () => {
  const gone = { user_id: 5, name: 'Entinen jäsen', image: '', short_description: '', is_former: true };
  const calls = serveAdmin(
    anAdmin({
      team: [
        gone,
        { user_id: 7, name: 'Noora', image: 'x', short_description: '' },
        { user_id: 8, name: 'Amira', image: 'x', short_description: '' },
      ],
    }),
  );
  const { pointer } = await open();
  expect(screen.getByText('on poistanut tilinsä')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Pyydä omistajaksi/ })).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Ryhdy omistajaksi' }));
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ path: 'settings/', body: { team: [7, 5, 8] } }));
});

test('a person is also added by the address of the profile, and a name that nobody has is said', async () => {
  servePeople();
  const calls = serveAdmin(
    anAdmin({ team: [{ user_id: 7, name: 'Noora', image: 'x', short_description: '' }] }),
  );
  const { pointer } = await open();
  const field = screen.getByRole('combobox', { name: 'Kutsu henkilö nimellä' });
  await pointer.type(field, 'xyz');
  expect(await screen.findByText(/Ketään ei löydy tällä nimellä/)).toBeVisible();
  await pointer.keyboard('{Enter}');
  expect(await screen.findByText(/Valitse henkilö luettelosta/)).toBeVisible();
  await pointer.clear(field);
  await pointer.type(field, '/profile/41/{Enter}');
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ body: { team: [7, 41] } }));
});

test('the last changes are undone one by one, each in its language', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  expect(screen.getByRole('button', { name: 'Kumoa viimeinen muutos' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  const title = screen.getByRole('textbox', { name: 'Nimi' });
  await pointer.clear(title);
  await pointer.fill(title, 'Työkaluseinä');
  await pointer.tab();
  await pointer.click(screen.getByRole('switch', { name: 'Luettelo' }));
  await pointer.click(screen.getByRole('radio', { name: /Svenska/ }));
  await waitFor(() => expect(calls).toHaveLength(2));
  const undo = screen.getByRole('button', { name: 'Kumoa viimeinen muutos' });
  await pointer.click(undo);
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ body: { show_in: { index: false } } }));
  await pointer.click(undo);
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ body: { title: 'Kirjasto lainaa työkaluja' } }));
  expect(screen.getByRole('textbox', { name: 'Nimi' })).toHaveValue('Kirjasto lainaa työkaluja');
  expect(undo).toHaveAttribute('aria-disabled', 'true');
});

test('the history says who changed what, and puts a text and a place back', async () => {
  const calls = serveAdmin(anAdmin());
  const change = (id: number, fields: object[]) => ({
    id,
    at: '2026-11-20T10:00:00Z',
    by: { name: 'Ville Rantanen', actor: 'user', user_id: 8 },
    action: 'change',
    entity: 'experiment',
    entity_id: 41,
    fields,
  });
  server.use(
    http.get(content('/experiments/41/admin/history/'), () =>
      HttpResponse.json({
        total: 3,
        changes: [
          change(3, [{ path: 'stage', before: 1, after: 2, long: false }]),
          change(2, [
            { path: 'geographic_location.place', before: 'Oulu', after: 'Tampere', long: false },
            { path: 'geographic_location.latitude', before: 65.01, after: 61.5, long: false },
            { path: 'geographic_location.longitude', before: 25.47, after: 23.8, long: false },
          ]),
          change(1, [{ path: 'fi.custom_language.results', after: 'Lyhyt', long: true }]),
        ],
      }),
    ),
    http.get(content('/experiments/41/admin/history/1/fi.custom_language.results/'), () =>
      HttpResponse.json({ before: 'Yli sata lainaa.' }),
    ),
  );
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  expect(await drawer.findAllByText('Ville Rantanen')).toHaveLength(3);
  expect(drawer.getByText('Suunnitteilla')).toBeVisible();
  await pointer.click(drawer.getByRole('button', { name: /^Palauta tämä/ }));
  await waitFor(() =>
    expect(calls.at(-1)).toMatchObject({
      path: 'settings/',
      body: { geographic_location: { place: 'Oulu', latitude: 65.01, longitude: 25.47 } },
    }),
  );
  await pointer.click(drawer.getByRole('button', { name: 'Näytä, mitä siinä luki' }));
  expect(await drawer.findByText('Yli sata lainaa.')).toBeVisible();
  await pointer.click(drawer.getByRole('button', { name: /^Palauta tämä/ }));
  await waitFor(() =>
    expect(calls.at(-1)).toMatchObject({
      path: 'custom_language/fi/',
      body: { results: { value: 'Yli sata lainaa.' } },
    }),
  );
});

test('a press upon an older version says what somebody else has changed', async () => {
  serveAdmin(anAdmin());
  const { pointer } = await open();
  server.use(
    http.post(content('/experiments/41/stagemoves/'), () =>
      refusal('changed_meanwhile', 412, {
        version: 8,
        fields: [
          { path: 'fi.title', rule: 'changed_meanwhile', message: '' },
          { path: 'geographic_location.place', rule: 'changed_meanwhile', message: '' },
        ],
      }),
    ),
  );
  await pointer.click(screen.getByRole('button', { name: 'Siirrä vaiheeseen Arvioitu' }));
  const dialog = within(await screen.findByRole('dialog'));
  await pointer.click(dialog.getByRole('button', { name: 'Siirrä vaiheeseen Arvioitu' }));
  expect(await screen.findByText(/Muuttunut: Nimi · Suomi, Missä\./)).toBeVisible();
});

test('a beginning without an answer is sent again as it was, and what was typed since goes on to the editor', async () => {
  const sent: { key: string | null; title: unknown }[] = [];
  server.use(
    http.post(content('/experiments/'), async ({ request }) => {
      const { title } = (await request.json()) as { title: string };
      sent.push({ key: request.headers.get('Idempotency-Key'), title });
      return sent.length === 1
        ? HttpResponse.error()
        : HttpResponse.json(
            { experiment: { experiment_id: 41, slug: 'lumipallo', version: 7 } },
            { status: 201 },
          );
    }),
  );
  const calls = serveAdmin(anAdmin());
  const { pointer } = await renderAt('/create-experiment/', { user: aUser({ user_id: 78 }) });
  const name = await screen.findByRole('textbox', { name: 'Kokeilun nimi' });
  await pointer.clear(name);
  await pointer.fill(name, 'Lumipallo');
  const begin = screen.getByRole('button', { name: 'Aloita kokeilu' });
  await pointer.click(begin);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(begin).not.toHaveAttribute('aria-busy'));
  await pointer.type(name, 'sota');
  await pointer.click(begin);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(sent[0]);
  await waitFor(
    () => expect(calls.at(-1)).toMatchObject({ path: 'language/fi/', body: { title: 'Lumipallosota' } }),
    { timeout: 4_000 },
  );
});

/** Answers each beginning with a new experiment; gives the titles that were sent. */
function serveBeginning(answer: () => Response = () => begun()) {
  const titles: unknown[] = [];
  server.use(
    http.post(content('/experiments/'), async ({ request }) => {
      titles.push(((await request.json()) as { title: string }).title);
      return answer();
    }),
  );
  return titles;
}

const begun = () =>
  HttpResponse.json({ experiment: { experiment_id: 41, slug: 'lumipallo', version: 7 } }, { status: 201 });
const signIn = (user_id: number) =>
  signedIn({ token: { string: `token-${user_id}`, timestamp: now }, user: aUser({ user_id }) });
const name = () => screen.findByRole('textbox', { name: 'Kokeilun nimi' });

test('another person who signs in after a session has ended gets none of what was typed, on the page and after a reload', async () => {
  const titles = serveBeginning();
  serveAdmin(anAdmin());
  const { pointer, store, unmount } = await renderAt('/create-experiment/', { user: aUser({ user_id: 78 }) });
  await pointer.fill(await name(), 'Salainen');
  act(() => void store.dispatch(sessionEnded('expired')));
  expect(await name()).toHaveValue('Salainen');
  await pointer.type(await name(), '!');
  act(() => void store.dispatch(signIn(79)));
  expect(await name()).toHaveValue('');
  unmount();
  const later = await renderAt('/create-experiment/', { user: aUser({ user_id: 79 }) });
  expect(await name()).toHaveValue('');
  await later.pointer.type(await name(), 'Oma');
  await later.pointer.click(screen.getByRole('button', { name: 'Aloita kokeilu' }));
  await waitFor(() => expect(titles).toEqual(['Oma']));
});

test('a beginning without an answer is not sent again by another person', async () => {
  const titles = serveBeginning(() => HttpResponse.error());
  const { pointer, unmount } = await renderAt('/create-experiment/', { user: aUser({ user_id: 78 }) });
  await pointer.fill(await name(), 'Salainen');
  await pointer.click(screen.getByRole('button', { name: 'Aloita kokeilu' }));
  await waitFor(() => expect(titles).toHaveLength(1));
  unmount();
  const later = await renderAt('/create-experiment/', { user: aUser({ user_id: 79 }) });
  await later.pointer.type(await name(), 'Oma');
  await later.pointer.click(screen.getByRole('button', { name: 'Aloita kokeilu' }));
  await waitFor(() => expect(titles).toEqual(['Salainen', 'Oma']));
});

test('whoever typed it goes on after their session has ended, as does a visitor who signs in', async () => {
  const { pointer, store } = await renderAt('/create-experiment/');
  await pointer.type(await name(), 'Lumi');
  act(() => void store.dispatch(signIn(78)));
  expect(await name()).toHaveValue('Lumi');
  act(() => void store.dispatch(sessionEnded('expired')));
  await pointer.fill(await name(), 'pallo');
  act(() => void store.dispatch(signIn(78)));
  expect(await name()).toHaveValue('Lumipallo');
});

test('who signs out while beginning leaves nothing on the screen', async () => {
  const { pointer, store } = await renderAt('/create-experiment/', { user: aUser({ user_id: 78 }) });
  await pointer.fill(await name(), 'Salainen');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(await name()).toHaveValue('');
  expect(JSON.stringify(window.localStorage)).not.toContain('Salainen');
});

test('who signs out while editing is asked to sign in, and nothing unpublished stays on the screen', async () => {
  serveAdmin(anAdmin());
  const { pointer, store } = await open();
  await pointer.fill(screen.getByRole('textbox', { name: 'Nimi' }), ' salaa');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(await screen.findByText('Kirjaudu ensin sisään')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Nimi' })).not.toBeInTheDocument();
  expect(JSON.stringify(window.localStorage)).not.toContain('salaa');
  act(() => void store.dispatch(signIn(aUser().user_id)));
  expect(await screen.findByRole('textbox', { name: 'Nimi' })).toHaveValue('Kirjasto lainaa työkaluja');
});

test('what is being edited stays when the session ends, for its writer and not for another person', async () => {
  serveAdmin(anAdmin());
  server.use(http.patch(content('/experiments/41/*'), () => refusal('token_expired', 401)));
  const { pointer, store } = await open();
  const title = screen.getByRole('textbox', { name: 'Nimi' });
  await pointer.fill(title, ' salaa');
  await pointer.tab();
  await waitFor(() => expect(store.getState().session.user).toBeNull());
  expect(title).toHaveValue('Kirjasto lainaa työkaluja salaa');
  server.use(http.get(content('/experiments/41/admin/fi/'), () => refusal('forbidden', 403)));
  act(() => void store.dispatch(signIn(79)));
  await waitFor(() => expect(title).not.toBeInTheDocument());
  expect(screen.queryByDisplayValue(/salaa/)).not.toBeInTheDocument();
});
