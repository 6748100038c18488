import { act, screen, waitFor, within } from '@testing-library/react';
import { aPreview } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { failing } from '../../../../test/campaigns';
import { aSearchAnswer, nothing, serveSearch } from '../../../../test/search';

beforeEach(() => window.localStorage.clear());

test('says how many hits there are, and shows them in groups with what was searched underlined', async () => {
  const requests = serveSearch(() => aSearchAnswer());
  await renderAt('/search/?q=sauna');
  expect(await screen.findByRole('heading', { level: 1, name: '4 tulosta sanalle sauna' })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Auki 1',
    'Päättyneet 1',
    'Tekijät 1',
    'Kokeilut 1',
  ]);
  expect(screen.getAllByText('sauna', { selector: 'mark' })).not.toHaveLength(0);
  expect(screen.getByText('saunan', { selector: 'mark' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Reijo Kukkonen' })).toHaveAttribute('href', '/profile/9/');
  expect(requests.map(({ pathname, search }) => pathname + search)).toEqual([
    '/content/v6/search/fi/?q=sauna',
  ]);
});

test.each([
  ['Pysäytetty', 'stopped' as const],
  ['Suljettu', undefined],
])(
  'a campaign that is over before its last day (%s) does not say that it ended on it',
  async (state, hold) => {
    const campaigns = [aPreview({ stage: 5, hold })];
    serveSearch(() => aSearchAnswer({ groups: [{ name: 'ended', total: 1, campaigns }] }));
    await renderAt('/search/?q=sauna');
    expect(await screen.findByText(state)).toBeVisible();
    expect(screen.queryByText(/^päättyi/)).not.toBeInTheDocument();
  },
);

test('a chip shows one group, in the address; the back button takes it away', async () => {
  const requests = serveSearch(() => aSearchAnswer());
  const { pointer, router } = await renderAt('/search/?q=sauna');
  await pointer.click(await screen.findByRole('button', { name: 'Tekijät 1' }));
  expect(await screen.findByRole('button', { name: 'Tekijät 1', pressed: true })).toBeVisible();
  expect(router.state.location.search).toBe('?q=sauna&group=creators');
  expect(requests.at(-1)?.searchParams.get('group')).toBe('creators');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Auki 1' })).not.toBeInTheDocument());
  await act(() => router.navigate(-1));
  expect(await screen.findByRole('heading', { name: 'Auki 1' })).toBeVisible();
});

test('says what was searched instead, and offers exactly what was typed', async () => {
  const requests = serveSearch(({ searchParams }) =>
    aSearchAnswer(searchParams.get('exact') ? nothing : { is_corrected: true }),
  );
  const { pointer } = await renderAt('/search/?q=saunna');
  const link = await screen.findByRole('link', { name: 'Hae täsmälleen saunna' });
  expect(link.closest('p')).toHaveTextContent('Kirjoitit saunna. Oikea sana lienee sauna.');
  await pointer.click(link);
  expect(await screen.findByText('Tätä ei ole vielä yhtään')).toBeVisible();
  expect(requests.at(-1)?.searchParams.get('exact')).toBe('true');
});

test('a place is chosen from those of the hits, and says how many it leaves out', async () => {
  serveSearch(({ searchParams }) =>
    aSearchAnswer(searchParams.get('place') ? { total: 1, elsewhere: 3 } : {}),
  );
  const { pointer, router } = await renderAt('/search/?q=sauna');
  const place = await screen.findByRole('combobox', { name: 'Paikka' });
  expect(
    within(place)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Koko maa', 'Pohjois-Savo (3)', 'Pielavesi (3)', 'Kajaani (1)']);
  expect(within(place).getByRole('group', { name: 'Maakunnat' })).toHaveTextContent('Pohjois-Savo (3)');
  await pointer.selectOptions(place, 'Kajaani');
  expect(await screen.findByText(/Rajaus jättää pois 3 tulosta muualta/)).toBeVisible();
  await pointer.click(screen.getByRole('link', { name: 'Näytä koko maa' }));
  await waitFor(() => expect(router.state.location.search).toBe('?q=sauna'));
});

test('of what nothing was found it says what was looked through', async () => {
  serveSearch(() => aSearchAnswer(nothing));
  await renderAt('/search/?q=yksisarvinen');
  expect(await screen.findByText(/Etsimme kaikesta: 34 auki ja yksi tekijä/)).toBeVisible();
  expect(screen.getByRole('searchbox')).toHaveValue('yksisarvinen');
  expect(screen.getByRole('link', { name: 'Selaa kaikkia 34 avointa' })).toHaveAttribute(
    'href',
    '/campaigns/',
  );
});

test('a search that fails keeps the words and tries again by itself', async () => {
  serveSearch(() => aSearchAnswer());
  const gate = failing('/v6/search/fi/');
  await renderAt('/search/?q=sauna');
  expect(await screen.findByText('Haku ei vastannut')).toBeVisible();
  expect(screen.getByRole('searchbox')).toHaveValue('sauna');
  gate.open();
  expect(
    await screen.findByRole('heading', { level: 1, name: '4 tulosta sanalle sauna' }, { timeout: 5000 }),
  ).toBeVisible();
});

test('while somebody types, hits are suggested; arrows go through them, Enter opens, Escape closes', async () => {
  serveSearch(() => aSearchAnswer());
  const { pointer, router } = await renderAt('/search/');
  const field = await screen.findByRole('searchbox');
  await waitFor(() => expect(field).toHaveFocus());
  await pointer.type(field, 'saun');
  const list = await screen.findByRole('listbox', { name: 'Ehdotukset' });
  expect(field).toHaveAttribute('role', 'combobox');
  expect(within(list).getAllByRole('option')).toHaveLength(5);
  await pointer.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
  expect(field).toHaveValue('saun');
  await pointer.type(field, 'a');
  await screen.findByRole('listbox');
  await pointer.keyboard('{ArrowUp}');
  expect(await screen.findByRole('option', { name: 'Kaikki 4 tulosta', selected: true })).toBeVisible();
  await pointer.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?q=sauna'));
});

test('what was searched for is remembered on the device until it is told to forget', async () => {
  serveSearch(() => aSearchAnswer());
  const { pointer, router } = await renderAt('/search/?q=kuoro');
  await screen.findByRole('heading', { level: 1, name: '4 tulosta sanalle sauna' });
  await act(() => router.navigate('/search/'));
  expect(await screen.findByRole('link', { name: 'kuoro' })).toHaveAttribute('href', '/search/?q=kuoro');
  await pointer.click(screen.getByRole('button', { name: 'Unohda' }));
  expect(screen.queryByText(/Viimeksi hait/)).not.toBeInTheDocument();
  expect(window.localStorage.getItem('talkoot.searches')).toBeNull();
});
