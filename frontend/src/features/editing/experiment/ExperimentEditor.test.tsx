import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser, anExperiment } from '../../../../test/builders';
import { anAdmin, serveAdmin } from '../../../../test/experimentAdmin';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import { fromMap, toMap } from './finland';
import { idIn } from './idIn';

const address = '/experiments/41/tyokaluseina/edit/';

const open = async () => {
  const rendered = await renderAt(address, { user: aUser() });
  await screen.findByRole('heading', { name: 'Vaihe' });
  return rendered;
};

test('a text is saved by itself, and the bar says so', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  const title = screen.getByRole('textbox', { name: 'Nimi' });
  // Replaced in one: what is cleared first is saved empty on a slow machine.
  await pointer.tripleClick(title);
  await pointer.paste('Työkaluseinä');
  await pointer.tab();
  await waitFor(() =>
    expect(calls.at(-1)).toEqual({ path: 'language/fi/', body: { title: 'Työkaluseinä' }, ifMatch: '"7"' }),
  );
  expect(await screen.findByText(/Tallennettu/)).toBeVisible();
});

test('a language without a title has its dot, and is written in its turn', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  await pointer.click(screen.getByRole('radio', { name: /Svenska/ }));
  const title = screen.getByRole('textbox', { name: 'Nimi' });
  expect(title).toHaveValue('');
  await pointer.fill(title, 'Verktygsväggen');
  await pointer.tab();
  await waitFor(() =>
    expect(calls.at(-1)).toMatchObject({ path: 'language/sv/', body: { title: 'Verktygsväggen' } }),
  );
});

test('the next stage is asked about once, and moved to', async () => {
  const calls = serveAdmin(anAdmin(), ({ path }) => (path === 'stagemoves/' ? { stage: 3 } : {}));
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Siirrä vaiheeseen Arvioitu' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Siirretäänkö vaiheeseen Arvioitu?' }));
  expect(calls).toHaveLength(0);
  await pointer.click(dialog.getByRole('button', { name: 'Siirrä vaiheeseen Arvioitu' }));
  await waitFor(() => expect(calls).toEqual([{ path: 'stagemoves/', body: undefined, ifMatch: '"7"' }]));
  expect(await screen.findByText('Kokeilu siirtyi seuraavaan vaiheeseen')).toBeVisible();
  expect(await screen.findByText('Siirretäänkö vaiheeseen Käytössä?')).toBeVisible();
});

test('a stage that needs something says what, and has no button', async () => {
  serveAdmin(anAdmin({ stage_needs: ['custom_language.results'] }));
  await open();
  expect(screen.getByText('Ennen vaihetta Arvioitu tarvitaan vielä:')).toBeVisible();
  expect(screen.getByText('mitä opimme')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Siirrä/ })).not.toBeInTheDocument();
});

test('it is taken off the site only after a tick and a question', async () => {
  const calls = serveAdmin(anAdmin(), () => ({ disabled: true }));
  const { pointer } = await open();
  const button = screen.getByRole('button', { name: 'Poista kokeilu käytöstä' });
  expect(button).toBeDisabled();
  await pointer.click(screen.getByRole('checkbox', { name: 'Ymmärrän, ettei kävijä enää löydä tätä' }));
  await pointer.click(button);
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Haluatko varmasti POISTAA tämän kokeilun?' }),
  );
  await pointer.click(dialog.getByRole('button', { name: 'Poista käytöstä' }));
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ disabled: true, agree: true }));
  expect(await screen.findByText('Kokeilu on poissa sivustolta.')).toBeVisible();
});

test('money: the goal, an organisation, and a campaign by its address', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  const goal = screen.getByRole('textbox', { name: 'Tavoite' });
  await pointer.clear(goal);
  await pointer.type(goal, '60000,50');
  await pointer.tab();
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ goal: 60_000.5 }));
  await pointer.click(screen.getByRole('button', { name: 'Lisää organisaatio' }));
  await pointer.fill(screen.getByRole('textbox', { name: 'Organisaatio, rivi 2' }), 'Kierrätys');
  await pointer.type(screen.getByRole('textbox', { name: 'Summa, rivi 2' }), '500');
  await pointer.tab();
  await waitFor(() =>
    expect(calls.at(-1)?.body).toEqual({
      sources: {
        organizations: {
          list: [
            { name: 'Ympäristöministeriö', raised: 14_500 },
            { name: 'Kierrätys', raised: 500 },
          ],
        },
      },
    }),
  );
  await pointer.fill(
    screen.getByRole('textbox', { name: 'Kampanjan numero tai osoite' }),
    'https://talkoot.example/118/seina/',
  );
  await pointer.click(screen.getByRole('button', { name: 'Liitä kampanja' }));
  await waitFor(() =>
    expect(calls.at(-1)?.body).toEqual({ sources: { crowd: { api: 'talkoot', campaign_id: 118 } } }),
  );
});

test('the pin moves by arrow keys and by the numbers, and a chosen place takes it there', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  const pin = screen.getByRole('button', { name: 'Kokeilun paikka kartalla' });
  pin.focus();
  await pointer.keyboard('{ArrowUp}');
  expect(screen.getByRole('textbox', { name: 'Leveysaste' })).toHaveValue('61,55');
  await pointer.tab();
  await waitFor(() =>
    expect(calls.at(-1)?.body).toEqual({
      geographic_location: { place: 'Tampere', latitude: 61.55, longitude: 23.8 },
    }),
  );
  const place = screen.getByRole('combobox', { name: 'Paikka' });
  await pointer.clear(place);
  await pointer.type(place, 'Ou');
  await waitFor(() => expect(document.querySelector('datalist option[value="Oulu"]')).not.toBeNull());
  fireEvent.change(place, { target: { value: 'Oulu' } });
  fireEvent.blur(place);
  await waitFor(() =>
    expect(calls.at(-1)?.body).toEqual({
      geographic_location: { place: 'Oulu', latitude: 65.01, longitude: 25.47 },
    }),
  );
});

test('links are sent as typed, with what they are called and the icon of where they lead', async () => {
  const calls = serveAdmin(anAdmin());
  const { pointer } = await open();
  await pointer.click(screen.getByRole('button', { name: 'Lisää linkki' }));
  await pointer.fill(screen.getByRole('textbox', { name: 'Osoite, linkki 2' }), 'noora@example.fi');
  await pointer.fill(screen.getByRole('textbox', { name: 'Nimi, linkki 2' }), 'Kysy Nooralta');
  await pointer.tab();
  expect(screen.getByRole('img', { name: 'Sähköposti' })).toBeVisible();
  await waitFor(() =>
    expect(calls.at(-1)?.body).toEqual({
      links: [
        { url: 'https://tyokaluseina.fi', title: '' },
        { url: 'noora@example.fi', title: 'Kysy Nooralta' },
      ],
    }),
  );
});

test('two people: both versions stay until one is chosen', async () => {
  serveAdmin(anAdmin());
  const { pointer } = await open();
  server.use(
    http.patch(content('/experiments/41/*'), () => refusal('changed_meanwhile', 412)),
    http.get(content('/experiments/41/admin/fi/'), () =>
      HttpResponse.json({
        experiment: anAdmin({
          version: 9,
          texts: {
            fi: {
              title: 'Heidän nimensä',
              short_description: '140 porakonetta.',
              json_description: { type: 'doc', content: [] },
              image_alt: '',
            },
          },
        }),
      }),
    ),
  );
  const title = screen.getByRole('textbox', { name: 'Nimi' });
  await pointer.clear(title);
  await pointer.fill(title, 'Minun nimeni');
  await pointer.tab();
  expect(await screen.findByText('Heidän nimensä')).toBeVisible();
  expect(screen.getAllByText('Minun nimeni').length).toBeGreaterThan(0);
});

// Notices of the tests before would stand in the way: the kit shows a few at a time.
afterEach(() => notifications.clean());

test('who may not edit is led back and told', async () => {
  server.use(
    http.get(content('/experiments/41/admin/fi/'), () => refusal('forbidden', 403)),
    http.get(content('/experiments/41/fi/'), () =>
      HttpResponse.json({ experiment: anExperiment(), acl: ['view'] }),
    ),
  );
  // Not who wrote in the test before, whose last words may still be on their way.
  const { router } = await renderAt(address, { user: aUser({ user_id: 77 }) });
  await waitFor(() => expect(router.state.location.pathname).toBe('/experiments/41/x/'), { timeout: 4_000 });
  expect(await screen.findByText('Voit vain katsella tätä kokeilua')).toBeVisible();
});

test('beginning: what is typed outlives a failure, and the page is opened for editing', async () => {
  let tries = 0;
  server.use(
    http.post(content('/experiments/'), () => {
      tries += 1;
      return tries === 1
        ? refusal('internal_error', 500)
        : HttpResponse.json(
            { experiment: { experiment_id: 41, slug: 'lumipallo', version: 1 } },
            { status: 201 },
          );
    }),
  );
  serveAdmin(anAdmin());
  const { pointer, router } = await renderAt('/create-experiment/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Aloita kokeilu' }));
  expect(await screen.findByText('Tämä tarvitaan.')).toBeVisible();
  await pointer.fill(screen.getByRole('textbox', { name: 'Kokeilun nimi' }), 'Lumipallo');
  await pointer.click(screen.getByRole('button', { name: 'Aloita kokeilu' }));
  await waitFor(() => expect(tries).toBe(1));
  const begin = screen.getByRole('button', { name: 'Aloita kokeilu' });
  await waitFor(() => expect(begin).not.toHaveAttribute('aria-busy'));
  expect(screen.getByRole('textbox', { name: 'Kokeilun nimi' })).toHaveValue('Lumipallo');
  await pointer.click(begin);
  await waitFor(() => expect(router.state.location.pathname).toBe('/experiments/41/lumipallo/edit/'));
});

test('a visitor who begins is asked to sign in, and nothing is lost', async () => {
  const { pointer } = await renderAt('/create-experiment/');
  await pointer.fill(await screen.findByRole('textbox', { name: 'Kokeilun nimi' }), 'Lumipallo');
  await pointer.click(screen.getByRole('button', { name: 'Aloita kokeilu' }));
  expect(await screen.findByRole('dialog', { name: 'Kirjaudu sisään' })).toBeVisible();
  expect(
    window.localStorage.getItem('tk-unsaved-0-create-experiment') ?? JSON.stringify(window.localStorage),
  ).toContain('Lumipallo');
});

test.each([
  ['118', 118],
  [' /118/seina/ ', 118],
  ['https://talkoot.example/en/118/seina/?a=1', 118],
  ['/profile/41/', 41],
  ['https://talkoot.example:8080/118', 118],
  ['seina', undefined],
  ['0', undefined],
  ['', undefined],
])('the id in %j is %s', (typed, id) => {
  expect(idIn(typed)).toBe(id);
});

test('a point comes back from the map, and stays within it', () => {
  const { x, y } = toMap({ latitude: 65, longitude: 25 });
  expect(fromMap(x, y)).toEqual({ latitude: 65, longitude: 25 });
  expect(fromMap(-1_000, 9_000)).toEqual({ latitude: 59.6, longitude: 19 });
});
