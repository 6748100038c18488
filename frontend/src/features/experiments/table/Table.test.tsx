import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { anExperiment, aUser } from '../../../../test/builders';
import { listOf } from '../../../../test/campaigns';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';
import { offeredPages } from '../../../ui/table/offeredPages';
import { stateOf } from './state';

/** Serves a table of many experiments and gives the questions that were asked. */
function serveMany(total: number): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(content('/experiments/preview/fi/'), ({ request }) => {
      const question = new URL(request.url).searchParams;
      asked.push(question);
      const offset = Number(question.get('offset') ?? 0);
      const limit = Math.min(Number(question.get('limit')), total - offset);
      const rows = Array.from({ length: limit }, (_, place) =>
        anExperiment({
          experiment_id: total - offset - place,
          title: `Kokeilu ${total - offset - place}`,
          show_in: { index: place % 2 === 0, front_page: place === 0 },
        }),
      );
      return listOf(rows, total);
    }),
  );
  return asked;
}

const address = '/admin/experiments/';

test('the table is for the signed-in', async () => {
  await renderAt(address);
  expect(await screen.findByText('Kirjaudu ensin sisään')).toBeVisible();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

test('it begins with ten rows by id, the newest first, and tells pages and rows', async () => {
  const asked = serveMany(47);
  await renderAt(address, { user: aUser() });
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('row')).toHaveLength(11);
  expect(table.getByRole('columnheader', { name: 'ID' })).toHaveAttribute('aria-sort', 'descending');
  expect(asked.at(-1)?.toString()).toBe('limit=10&offset=0&sort=id&direction=desc');
  expect(screen.getByText('1–10 / 47')).toBeVisible();
  expect(screen.getByText('Sivu 1 / 5')).toBeVisible();
  const [, first, second] = table.getAllByRole('row');
  expect(within(first!).getByText('Etusivu')).toBeVisible();
  expect(within(second!).getByText('Piilossa')).toBeVisible();
  expect(table.getByRole('link', { name: 'Avaa: Kokeilu 47' })).toHaveAttribute(
    'href',
    '/experiments/47/tyokaluseina/',
  );
});

test('each column but the link sorts, both ways, and back leads back', async () => {
  const asked = serveMany(47);
  const { pointer, router } = await renderAt(address, { user: aUser() });
  for (const [name, sort] of [
    ['Nimi', 'alphabetical'],
    ['Lyhyt kuvaus', 'short_description'],
    ['Omistaja', 'owner_name'],
    ['Näkyvissä', 'show_in'],
    ['ID', 'id'],
  ] as const) {
    await pointer.click(await screen.findByRole('button', { name }));
    const head = () => screen.getByRole('columnheader', { name });
    await waitFor(() => expect(head()).toHaveAttribute('aria-sort', 'ascending'));
    await pointer.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(head()).toHaveAttribute('aria-sort', 'descending'));
    for (const direction of ['asc', 'desc'])
      await waitFor(() =>
        expect(asked.map((question) => `${question.get('sort')} ${question.get('direction')}`)).toContain(
          `${sort} ${direction}`,
        ),
      );
  }
  expect(screen.queryByRole('button', { name: 'Linkki' })).not.toBeInTheDocument();
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?direction=asc');
});

test('the search and the page are in the address; another search begins at the first page', async () => {
  const asked = serveMany(47);
  const { pointer, router } = await renderAt(`${address}?page=2`, { user: aUser() });
  expect(await screen.findByText('11–20 / 47')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Seuraava sivu' }));
  expect(await screen.findByText('21–30 / 47')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Sivu 5' }));
  expect(await screen.findByText('41–47 / 47')).toBeVisible();
  await pointer.type(screen.getByRole('searchbox', { name: 'Nimi, kuvaus tai omistaja' }), 'Oulu{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?keyword=Oulu'));
  await waitFor(() => expect(asked.at(-1)?.get('keyword')).toBe('Oulu'));
  expect(asked.at(-1)?.get('offset')).toBe('0');
});

test('of all rows only those near the window are fetched and in the page', async () => {
  const asked = serveMany(700);
  const { pointer } = await renderAt(address, { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: 'Kaikki' }));
  expect(await screen.findByText('1–700 / 700', undefined, { timeout: 4_000 })).toBeVisible();
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
  const parts = () =>
    asked.filter((question) => question.get('limit') === '300').map((one) => one.get('offset'));
  expect(parts()).toEqual(['0']);
  // Row 280 is at the top of the window: rows of two parts are near it.
  const list = document.querySelector('[data-many]');
  if (!list) throw new Error('the list is there');
  list.getBoundingClientRect = () => ({ top: -280 * 50 }) as DOMRect;
  act(() => void window.dispatchEvent(new Event('scroll')));
  expect(await screen.findByRole('rowheader', { name: 'Kokeilu 395' })).toBeInTheDocument();
  expect(screen.getByRole('rowheader', { name: 'Kokeilu 420' })).toBeInTheDocument();
  expect(parts()).toEqual(['0', '300']);
});

test.each(['?page=0', '?page=x', '?sort=karma', '?direction=up', '?rows=7'])('%s is ignored', (search) => {
  expect(stateOf(search)).toEqual(stateOf(''));
});

test('of many pages the first, the last and the near ones are offered', () => {
  expect(offeredPages(1, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(offeredPages(10, 20)).toEqual([1, 0, 9, 10, 11, 0, 20]);
  expect(offeredPages(1, 20)).toEqual([1, 2, 0, 20]);
});

test('what was taken off the site has a list of its own, which is in the address', async () => {
  const asked = serveMany(3);
  const { pointer, router } = await renderAt(address, { user: aUser() });
  await screen.findByRole('table');
  expect(asked.at(-1)?.has('disabled')).toBe(false);
  await pointer.click(screen.getByRole('radio', { name: 'Poistettu käytöstä' }));
  await waitFor(() => expect(asked.at(-1)?.get('disabled')).toBe('true'));
  expect(router.state.location.search).toBe('?show=disabled');
});

test('a search without a hit says for what, and an empty list what is missing', async () => {
  serveMany(0);
  await renderAt(`${address}?keyword=kiuas`, { user: aUser() });
  expect(await screen.findByText('Ei osumia haulle ”kiuas”')).toBeVisible();
});
