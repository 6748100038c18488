import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPreview, aUser } from '../../../../test/builders';
import { content, server } from '../../../../test/server';
import { renderAt } from '../../../../test/render';
import { failing, serveList } from '../../../../test/campaigns';

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) =>
    aPreview({ campaign_id: from + place, title: `Kampanja ${from + place}` }),
  );

test('tags that fail to load have an error with a retry button', async () => {
  serveList(() => ({ previews: [aPreview()], total: 1 }));
  const gate = failing('/campaigns/tags/');
  const { pointer } = await renderAt('/campaigns/');
  await pointer.click(await screen.findByText('Avainsanat'));
  const alert = await screen.findByRole('alert');
  gate.open();
  await pointer.click(within(alert).getByRole('button', { name: 'Yritä uudelleen' }));
  expect(await screen.findByRole('button', { name: 'sauna 2' })).toBeVisible();
});

test('requests exactly what the server embeds in the page', async () => {
  const requests = serveList(() => ({ previews: [aPreview()], total: 1 }));
  await renderAt('/campaigns/');
  expect(
    await screen.findByRole('heading', { level: 2, name: 'Höyry – kylän yhteinen saunalautta' }),
  ).toBeVisible();
  expect(requests.map(({ pathname, search }) => pathname + search)).toEqual([
    '/content/v6/campaigns/preview/fi/?limit=24&offset=0',
  ]);
});

test('monthly campaigns are among the open ones, as the service mixes them in, and those that ended beside them', async () => {
  const requests = serveList(() => ({ previews: [aPreview()], total: 1 }));
  const { pointer } = await renderAt('/campaigns/');
  expect(await screen.findByRole('button', { name: 'Avoinna nyt', pressed: true })).toBeVisible();
  expect(requests.at(-1)?.searchParams.has('stages')).toBe(false);
  await pointer.click(screen.getByRole('button', { name: 'Myös päättyneet' }));
  await waitFor(() => expect(requests.at(-1)?.searchParams.get('stages')).toBe('2,6,3,4,5'));
  await pointer.click(screen.getByRole('button', { name: 'Kuukausitalkoot' }));
  await waitFor(() => expect(requests.at(-1)?.pathname).toContain('/subscriptions/'));
  expect(requests.at(-1)?.searchParams.has('stages')).toBe(false);
});

test('a category and a tag say how many campaigns of the list have them, and are counted as the list is filtered', async () => {
  const counted: string[] = [];
  serveList(() => ({ previews: [aPreview()], total: 1 }), counted);
  const { pointer } = await renderAt('/campaigns/');
  await pointer.click(await screen.findByRole('button', { name: 'Kirjat 4' }));
  await screen.findByRole('button', { name: 'Kirjat 4', pressed: true });
  await pointer.click(screen.getByText('Avainsanat'));
  expect(await screen.findByRole('button', { name: 'sauna 2' })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Alkavat pian' }));
  await waitFor(() => expect(counted).toContain('/content/campaigns/categories/?language=fi&stages=1'));
  expect(counted.find((address) => address.includes('/tags/'))).toBe(
    '/content/campaigns/tags/?language=fi&stages=2%2C6&categories=2',
  );
});

test('of a campaign in another language, only its own texts have a lang attribute', async () => {
  serveList(() => ({ previews: [aPreview({ language: 'sv', tagline: 'Ljus på stigen' })], total: 1 }));
  await renderAt('/campaigns/');
  const card = await screen.findByRole('article');
  expect(card.closest('[lang]')).toBe(document.documentElement);
  expect(within(card).getByRole('heading')).toHaveAttribute('lang', 'sv');
  expect(within(card).getByText('Ljus på stigen')).toHaveAttribute('lang', 'sv');
});

test('announces the number of campaigns', async () => {
  serveList(() => ({ previews: many(1, 2), total: 2 }));
  await renderAt('/campaigns/');
  await waitFor(() => expect(screen.getByText('2 kampanjaa')).toHaveAttribute('role', 'status'));
});

test('a filter is in the address and in the request, and the browser’s back button removes it', async () => {
  const requests = serveList(({ searchParams }) => ({
    previews: searchParams.get('categories') ? [aPreview({ title: 'Kirja' })] : many(1, 2),
    total: searchParams.get('categories') ? 1 : 2,
  }));
  const { pointer, router } = await renderAt('/campaigns/');
  await pointer.click(await screen.findByRole('button', { name: 'Kirjat 4' }));

  expect(await screen.findByText('Yksi kampanja')).toBeVisible();
  expect(router.state.location.search).toBe('?categories=2');
  expect(requests.at(-1)?.searchParams.get('categories')).toBe('2');
  expect(screen.getByRole('button', { name: 'Kirjat 4', pressed: true })).toBeVisible();

  await act(() => router.navigate(-1));
  expect(await screen.findByText('2 kampanjaa')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Kirjat 4', pressed: false })).toBeVisible();
});

test('filters in the address are applied and shown', async () => {
  const requests = serveList(() => ({ previews: [aPreview()], total: 1 }));
  await renderAt('/campaigns/?list=most-funded&tags=5&keyword=sauna&sort=ending');
  expect(await screen.findByRole('heading', { level: 1, name: 'Haku: sauna' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Eniten rahoitetut', pressed: true })).toBeVisible();
  expect(screen.getByRole('searchbox', { name: 'Hae Talkoista' })).toHaveValue('sauna');
  expect(screen.getByRole('combobox', { name: 'Järjestys' })).toHaveValue('ending');
  expect(await screen.findByRole('button', { name: 'sauna, mukana' })).toBeVisible();
  expect(requests[0]?.pathname).toBe('/content/campaigns/preview/fi/most_funded/');
  expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toEqual({
    limit: '24',
    offset: '0',
    tags: '5',
    keyword: 'sauna',
    sort: 'ending',
  });
});

test('pressing a chosen tag excludes it', async () => {
  serveList(() => ({ previews: [aPreview()], total: 1 }));
  const { pointer, router } = await renderAt('/campaigns/?tags=5');
  await pointer.click(await screen.findByRole('button', { name: 'sauna, mukana' }));
  expect(await screen.findByRole('button', { name: 'sauna, ei mukana' })).toBeVisible();
  expect(router.state.location.search).toBe('?excluded_tags=5');
});

test('a filter that is pressed while the one before is still loading keeps that one', async () => {
  serveList(() => ({ previews: many(1, 2), total: 2 }));
  let answer: () => void = () => undefined;
  const pressed = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
  server.use(
    http.get(content('/campaigns/categories/'), () =>
      HttpResponse.json({ categories: [{ id: 2, label: 'Kirjat', campaigns: 1 }] }),
    ),
    http.get(content('/campaigns/tags/'), async ({ request }) => {
      if (new URL(request.url).searchParams.has('categories')) await pressed;
      return HttpResponse.json({ tags: [{ id: 5, label: 'sauna', campaigns: 1 }] });
    }),
  );
  const { pointer, router } = await renderAt('/campaigns/?tags=5');
  const tag = await screen.findByRole('button', { name: 'sauna, mukana' });
  await pointer.click(screen.getByRole('button', { name: /^Kirjat/ }));
  expect(router.state.navigation.state).toBe('loading');
  await pointer.click(tag);
  await pointer.click(screen.getByRole('button', { name: 'Alkavat pian' }));
  answer();
  await waitFor(() =>
    expect(router.state.location.search).toBe('?list=preparing&categories=2&excluded_tags=5'),
  );
});

test('what is chosen although the list has none of it stays with 0, and can be taken away', async () => {
  serveList(() => ({ previews: [], total: 0 }));
  const uncounted = (request: Request) => !new URL(request.url).searchParams.has('stages');
  server.use(
    http.get(content('/campaigns/categories/'), ({ request }) =>
      HttpResponse.json({ categories: uncounted(request) ? [{ id: 2, label: 'Kirjat' }] : [] }),
    ),
    http.get(content('/campaigns/tags/'), ({ request }) =>
      HttpResponse.json({ tags: uncounted(request) ? [{ id: 5, label: 'sauna' }] : [] }),
    ),
  );
  const { pointer, router } = await renderAt('/campaigns/?list=preparing&categories=2&excluded_tags=5');
  expect(screen.getByText('Kampanjat, jotka aukeavat pian. Mukaan pääsee avauspäivänä.')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'sauna, ei mukana' })).toHaveTextContent('0');
  await pointer.click(await screen.findByRole('button', { name: 'Kirjat 0', pressed: true }));
  await pointer.click(screen.getByRole('button', { name: 'sauna, ei mukana' }));
  await waitFor(() => expect(router.state.location.search).toBe('?list=preparing'));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Kirjat|sauna/ })).not.toBeInTheDocument());
});

test('the button loads more campaigns until all are shown', async () => {
  const requests = serveList(({ searchParams }) =>
    searchParams.get('offset') === '24'
      ? { previews: many(25, 2), total: 26 }
      : { previews: many(1, 24), total: 26 },
  );
  const { pointer } = await renderAt('/campaigns/');
  await pointer.click(await screen.findByRole('button', { name: 'Näytä lisää' }));
  expect(await screen.findByRole('link', { name: 'Kampanja 26' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Näytä lisää' })).not.toBeInTheDocument();
  expect(requests).toHaveLength(2);
});

test('a list that was not counted to its end says “over 100”', async () => {
  serveList(() => ({ previews: many(1, 24), total: 101, total_is_more: true }));
  await renderAt('/campaigns/');
  expect(await screen.findByText('Yli 100 kampanjaa')).toBeVisible();
  expect(screen.getByText('Näkyvissä 24, kaikkiaan yli 100')).toBeVisible();
});

test('an empty result offers to clear the filters', async () => {
  serveList(({ searchParams }) =>
    searchParams.get('keyword') ? { previews: [], total: 0 } : { previews: [aPreview()], total: 1 },
  );
  const { pointer, router } = await renderAt('/campaigns/?keyword=xyz');
  const text = await screen.findByText('Näillä rajauksilla ei löydy mitään');
  const box = text.parentElement!;
  await pointer.click(within(box).getByRole('button', { name: 'Tyhjennä rajaukset' }));
  expect(await screen.findByRole('link', { name: 'Höyry – kylän yhteinen saunalautta' })).toBeVisible();
  expect(router.state.location.search).toBe('');
});

test('a list that fails to load has a retry button', async () => {
  serveList(() => ({ previews: [aPreview()], total: 1 }));
  const gate = failing('/v6/campaigns/preview/fi/');
  const { pointer } = await renderAt('/campaigns/');
  expect(await screen.findByText('Kampanjat eivät latautuneet')).toBeVisible();
  gate.open();
  await pointer.click(screen.getByRole('button', { name: 'Yritä uudelleen' }));
  expect(await screen.findByRole('link', { name: 'Höyry – kylän yhteinen saunalautta' })).toBeVisible();
});

test.each([
  ['a visitor', undefined, '/content/v6/campaigns/preview/fi/', 0],
  ['a creator', aUser(), '/content/campaigns/mycampaigns/preview/fi/', 1],
])('%s who opens the list of their own campaigns gets %s', async (_, user, pathname, buttons) => {
  const requests = serveList(() => ({ previews: [aPreview()], total: 1 }));
  await renderAt('/campaigns/?list=mine', { user });
  await screen.findByRole('link', { name: 'Höyry – kylän yhteinen saunalautta' });
  expect(requests.at(-1)?.pathname).toBe(pathname);
  expect(screen.queryAllByRole('button', { name: 'Omat' })).toHaveLength(buttons);
});
