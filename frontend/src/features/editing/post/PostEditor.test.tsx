import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../../../test/builders';
import { aPostAdmin, paragraph, servePost } from '../../../../test/posts';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';
import { sessionEnded, signedIn } from '../../../api/session';
import { now } from '../../../../test/clock';

installEditor();

const address = '/3/hoyry/posts/4/edit/';
const title = () => screen.findByRole('textbox', { name: 'Otsikko' });
const button = (name: string) => screen.getByRole('button', { name });

test('what is typed is saved when the field loses the focus, and the page says so', async () => {
  const state = servePost();
  // On a slow machine the pause in typing may have passed before the words are looked for.
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  server.use(
    http.patch(content('/campaigns/3/posts/4/'), async () => {
      await held;
    }),
  );
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.type(await title(), '!');
  expect(screen.getByText('Tallennetaan…')).toBeVisible();
  await pointer.tab();
  act(answer);
  expect(await screen.findByText(/^Luonnos tallennettu/)).toBeVisible();
  expect(state.sent).toEqual([
    {
      upon: '"3"',
      change: {
        language: 'fi',
        content: {
          title: 'Kiuas on valittu!',
          json: {
            type: 'doc',
            content: [paragraph('Vaihtoehtoja oli kolme.'), paragraph('Tässä ne.')],
          },
        },
      },
    },
  ]);
});

test('a failing server and a reload lose nothing that was typed', async () => {
  const state = servePost();
  state.refuse = 503;
  const { pointer, unmount } = await renderAt(address, { user: aUser() });
  await pointer.type(await title(), '!');
  await pointer.tab();
  expect(await screen.findByText(/Teksti on tallessa tällä laitteella/)).toBeVisible();
  unmount();
  await act(() => new Promise((resolve) => setTimeout(resolve, 100))); // The last save of the page that was left.
  state.refuse = 0;
  await renderAt(address, { user: aUser() });
  expect(await title()).toHaveValue('Kiuas on valittu!');
  await waitFor(() => expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!'), { timeout: 3_000 });
});

test('who signs out is asked to sign in, and nothing unpublished stays on the screen', async () => {
  servePost();
  const { pointer, store } = await renderAt(address, { user: aUser({ scope: ['edit'] }) });
  await pointer.fill(await title(), ' salaa');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(await screen.findByText('Kirjaudu, niin pääset muokkaamaan')).toBeVisible();
  expect(screen.queryByDisplayValue(/salaa/)).not.toBeInTheDocument();
  expect(JSON.stringify(window.localStorage)).not.toContain('salaa');
});

test('when the session expires the page and the text stay; after sign-in the text is saved', async () => {
  const state = servePost();
  const { pointer, store } = await renderAt(address, { user: aUser({ scope: ['edit'] }) });
  state.refuse = 401;
  await pointer.type(await title(), '!');
  await pointer.tab();
  expect(await screen.findByText('Istuntosi päättyi. Teksti on tallessa tällä laitteella.')).toBeVisible();
  expect(await title()).toHaveValue('Kiuas on valittu!');
  state.refuse = 0;
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  expect(await screen.findByText(/^Luonnos tallennettu/)).toBeVisible();
  expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!');
});

test('when two people edit, both versions are shown, and one is chosen', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  const field = await title();
  state.post = {
    ...state.post,
    version: 8,
    texts: { fi: { ...state.post.texts.fi!, title: 'Kiuas vaihtui' } },
  };
  await pointer.type(field, '!');
  await pointer.tab();
  const choice = await screen.findByRole('alert', { name: 'Kaksi versiota' });
  expect(choice).toHaveTextContent('Tuomo muutti tätä kohtaa');
  expect(within(choice).getByText('Kiuas vaihtui')).toBeVisible();
  expect(within(choice).getByText('Kiuas on valittu!')).toBeVisible();
  await pointer.click(within(choice).getByRole('button', { name: 'Jätä minun' }));
  await waitFor(() => expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!'));
  expect(state.sent.at(-1)?.upon).toBe('"8"');
});

test('somebody else’s change of another part is not a conflict', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  const field = await title();
  state.post = { ...state.post, version: 8, meta: { level: 0 } };
  await pointer.type(field, '!');
  await pointer.tab();
  await waitFor(() => expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!'));
  expect(screen.queryByRole('alert', { name: 'Kaksi versiota' })).not.toBeInTheDocument();
});

test('the line that marks the end of the preview depends on who may read the post', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  expect(await screen.findByText('Tähän asti kaikille, loput tukijoille.')).toBeVisible();
  await pointer.click(screen.getByRole('radio', { name: /Tukijat alkaen 120/ }));
  expect(screen.getByText(/loput vähintään 120.€ tukeneille/)).toBeVisible();
  await pointer.click(screen.getByRole('radio', { name: /Kaikki/ }));
  expect(screen.queryByText(/Tähän asti kaikille/)).not.toBeInTheDocument();
  await waitFor(() => expect(state.post.meta.level).toBe(0), { timeout: 3_000 });
});

test('emails are counted by language, and a language without a text can be selected', async () => {
  servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  const letters = await screen.findByRole('region', { name: 'Kirje tukijoille' });
  expect(letters).toHaveTextContent('187');
  expect(letters).toHaveTextContent('Ilman käännöstä nämä 8 saavat suomenkielisen tekstin.');
  await pointer.click(within(letters).getByRole('button', { name: 'Kirjoita' }));
  expect(screen.getByRole('radio', { name: /Svenska puuttuu/ })).toBeChecked();
  expect(await title()).toHaveValue('');
});

test('publishing saves first, and asks for a confirmation that names the readers and the emails', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.type(await title(), '!');
  await pointer.click(button('Julkaise ja lähetä'));
  const dialog = await screen.findByRole('dialog', { name: 'Julkaistaanko päivitys?' });
  expect(dialog).toHaveTextContent(
    '214 tukijaa lukee koko päivityksen. Muut näkevät otsikon, ensimmäisen kappaleen ja kutsun tukea. ' +
      '187 kirjettä lähtee heti. Kirje lähtee kerran.',
  );
  await pointer.click(within(dialog).getByRole('button', { name: 'Julkaise ja lähetä' }));
  await waitFor(() => expect(state.post.status).toBe('published'));
  expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!');
  expect(await screen.findByRole('button', { name: 'Peru julkaisu' })).toBeVisible();
});

test('before publishing the chosen level is saved, so that the confirmation counts the right readers', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: /Tukijat alkaen 120/ }));
  await pointer.click(button('Julkaise ja lähetä'));
  const dialog = await screen.findByRole('dialog', { name: 'Julkaistaanko päivitys?' });
  expect(state.post.meta.level).toBe(120);
  expect(dialog).toHaveTextContent(/^.*96 vähintään 120.€ tukenutta lukee koko päivityksen/);
});

test('pressing publish twice sends it once', async () => {
  const state = servePost();
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Julkaise ja lähetä' }));
  const dialog = await screen.findByRole('dialog', { name: 'Julkaistaanko päivitys?' });
  const confirm = within(dialog).getByRole('button', { name: 'Julkaise ja lähetä' });
  act(() => {
    confirm.click();
    confirm.click();
  });
  expect(await screen.findByRole('button', { name: 'Peru julkaisu' })).toBeVisible();
  expect(state.asked).toBe(1);
});

test('while an update is being published the other buttons show that they wait', async () => {
  servePost();
  let publish: () => void = () => undefined;
  const isLetGo = new Promise<undefined>((go) => (publish = () => go(undefined)));
  server.use(http.patch(content('/campaigns/3/posts/4/'), () => isLetGo));
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Julkaise ja lähetä' }));
  const dialog = await screen.findByRole('dialog', { name: 'Julkaistaanko päivitys?' });
  await pointer.click(within(dialog).getByRole('button', { name: 'Julkaise ja lähetä' }));
  const others = () =>
    screen.getAllByRole('button', { name: /^(Lähetä koe minulle|Poista luonnos)/, hidden: true });
  await waitFor(() => others().forEach((one) => expect(one).toHaveAttribute('aria-busy', 'true')));
  publish();
  expect(await screen.findByRole('button', { name: 'Peru julkaisu' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Lähetä koe minulle/ })).not.toHaveAttribute('aria-busy');
});

test('reopening the editor during its last save shows what was saved, and no conflict', async () => {
  const state = servePost();
  const { pointer, unmount } = await renderAt(address, { user: aUser() });
  await pointer.type(await title(), '!');
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  server.use(
    http.patch(
      content('/campaigns/3/posts/4/'),
      async () => {
        await arrived;
        return undefined;
      },
      { once: true },
    ),
  );
  unmount();
  const { pointer: again } = await renderAt(address, { user: aUser() });
  expect(screen.queryByRole('textbox', { name: 'Otsikko' })).not.toBeInTheDocument();
  arrive();
  expect(await title()).toHaveValue('Kiuas on valittu!');
  await again.type(await title(), '?');
  await again.tab();
  await waitFor(() => expect(state.post.texts.fi?.title).toBe('Kiuas on valittu!?'));
  expect(screen.queryByRole('alert', { name: 'Kaksi versiota' })).not.toBeInTheDocument();
});

test('without emails to send, the button says only that it publishes', async () => {
  servePost(aPostAdmin({ letters: { total: 0, by_language: {}, declined: 0, undelivered: 0 } }));
  await renderAt(address, { user: aUser() });
  expect(await screen.findByRole('button', { name: 'Julkaise' })).toBeVisible();
  expect(screen.getByText('Kirjeitä ei lähde.')).toBeVisible();
});

test('an update of a campaign on hold says that its emails wait, and publishes without them', async () => {
  const letters = { total: 187, by_language: { fi: 187 }, declined: 0, undelivered: 0 };
  servePost(aPostAdmin({ letters: { ...letters, waits_for: 'on_hold' } }));
  const { pointer } = await renderAt(address, { user: aUser() });
  expect(await screen.findByText(/^Kampanja on tauolla, joten kirjeet odottavat/)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Julkaise' }));
  const asked = await screen.findByRole('dialog');
  expect(asked).toHaveTextContent('Ne lähtevät itsestään, kun kampanja jatkuu.');
  expect(within(asked).getByRole('button', { name: 'Julkaise' })).toBeVisible();
});

test('who reads that the emails have left reads how many did not arrive', async () => {
  const letters = { total: 187, by_language: { fi: 187 }, declined: 0, sent_at: '2026-11-20T10:00:00Z' };
  servePost(aPostAdmin({ status: 'published', letters: { ...letters, undelivered: 3 } }));
  await renderAt(address, { user: aUser() });
  expect(await screen.findByText(/^Kirjeet lähtivät/)).toBeVisible();
  expect(screen.getByText(/^3 kirjettä ei mennyt perille/)).toBeVisible();
});

test('an update without a text in its own language cannot be published', async () => {
  const { fi } = aPostAdmin().texts;
  const state = servePost(aPostAdmin({ texts: { en: fi! } }));
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Julkaise ja lähetä' }));
  expect(screen.getByText('Kirjoita ensin otsikko ja tekstiä.')).toBeVisible();
  expect(state.sent).toEqual([]);
});

test('an empty update cannot be published, and the page says why', async () => {
  const state = servePost(aPostAdmin({ texts: {} }));
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Julkaise ja lähetä' }));
  expect(screen.getByText('Kirjoita ensin otsikko ja tekstiä.')).toBeVisible();
  expect(state.sent).toEqual([]);
});

test('a draft is deleted after a confirmation, and the campaign’s page opens', async () => {
  servePost();
  let deleted = '';
  server.use(
    http.delete(content('/campaigns/3/posts/4/'), ({ request }) => {
      deleted = request.headers.get('If-Match') ?? '';
      return new HttpResponse(null, { status: 204 });
    }),
    http.get(content('/campaigns/3/rewards/fi/'), () => HttpResponse.json({ rewards: [] })),
    http.get(content('/campaigns/3/posts/preview/'), () => HttpResponse.json({ previews: [], total: 0 })),
    http.get(content('/campaigns/3/backers/'), () => HttpResponse.json({ previews: [], total: 0 })),
  );
  const { pointer, router } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Poista luonnos' }));
  await pointer.click(await screen.findByRole('button', { name: 'Poista päivitys' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/'));
  expect(deleted).toBe('"3"');
});

test('a visitor without a session is asked to sign in, and the post is not requested', async () => {
  server.use(
    http.get(content('/campaigns/3/fi/'), () => HttpResponse.json({ campaign: aCampaign(), acl: [] })),
  );
  await renderAt(address);
  expect(await screen.findByText('Kirjaudu, niin pääset muokkaamaan')).toBeVisible();
});
