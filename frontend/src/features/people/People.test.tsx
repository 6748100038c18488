import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPreview, aUser } from '../../../test/builders';
import { aPerson, aPublicProfile } from '../../../test/people';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';

function serveIndex(people = [aPerson()], total = people.length) {
  const asked: string[] = [];
  server.use(
    http.get(content('/users/preview/'), ({ request }) => {
      asked.push(new URL(request.url).search);
      const isSearch = new URL(request.url).searchParams.get('keyword') === 'kukaan';
      const offset = Number(new URL(request.url).searchParams.get('offset'));
      const previews = people.map((person) => ({ ...person, user_id: person.user_id + offset }));
      return HttpResponse.json(isSearch ? { previews: [], total: 0 } : { previews, total });
    }),
    http.get(content('/users/tags/'), () => HttpResponse.json({ tags: [{ id: 3, label: 'joiku' }] })),
  );
  return asked;
}

test('the index shows people with what they say, their topics and how much they do', async () => {
  serveIndex();
  await renderAt('/profiles/');
  expect(screen.getByRole('heading', { level: 1, name: 'Ihmiset, jotka saavat aikaan' })).toBeVisible();
  const link = await screen.findByRole('link', { name: 'Áile Näkkäläjärvi' });
  expect(link).toHaveAttribute('href', '/profile/9/');
  expect(screen.getByText('Kirjoitan lauluja muistiin.')).toBeVisible();
  expect(screen.getByText('2 kampanjaa · 1 kokeilu')).toBeVisible();
  expect(screen.getByText('Yksi löytyi')).toBeVisible();
});

test('searching and choosing a topic are in the address; nobody found says what to do', async () => {
  const asked = serveIndex();
  const { pointer, router } = await renderAt('/profiles/');
  await pointer.click(await screen.findByRole('button', { name: 'joiku' }));
  await waitFor(() => expect(router.state.location.search).toBe('?tag=3'));
  const search = screen.getByRole('searchbox', { name: 'Nimi tai mitä tekee' });
  await pointer.fill(search, 'kukaan{Enter}');
  expect(await screen.findByText('Ei ketään tällä nimellä')).toBeVisible();
  expect(router.state.location.search).toBe('?keyword=kukaan&tag=3');
  expect(asked.at(-1)).toBe('?language=fi&limit=24&offset=0&keyword=kukaan&tags=3');
  await pointer.click(screen.getByRole('button', { name: 'Näytä kaikki' }));
  expect(await screen.findByRole('link', { name: 'Áile Näkkäläjärvi' })).toBeVisible();
});

test('more people come below those that are there', async () => {
  const asked = serveIndex([aPerson()], 2);
  const { pointer } = await renderAt('/profiles/');
  await pointer.click(await screen.findByRole('button', { name: 'Näytä lisää' }));
  await waitFor(() => expect(asked.at(-1)).toContain('offset=1'));
});

test('people who cannot be loaded can be asked for again', async () => {
  serveIndex();
  server.use(http.get(content('/users/preview/'), () => refusal('unavailable', 503)));
  const { pointer } = await renderAt('/profiles/');
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  serveIndex();
  await pointer.click(again);
  expect(await screen.findByRole('link', { name: 'Áile Näkkäläjärvi' })).toBeVisible();
});

const serveProfile = (profile = aPublicProfile()) =>
  server.use(http.get(content('/users/9/profile'), () => HttpResponse.json({ profile })));

test('a public page says who it is, and leaves out what is empty', async () => {
  serveProfile();
  await renderAt('/profile/9/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Áile Näkkäläjärvi' })).toBeVisible();
  expect(screen.getByText('Vahvistettu tekijä')).toBeVisible();
  const link = screen.getByRole('link', { name: 'instagram.com/njuolla' });
  expect(link).toHaveAttribute('href', 'https://instagram.com/njuolla');
  expect(link).toHaveAttribute('rel', expect.stringContaining('nofollow'));
  expect(within(screen.getByRole('list', { name: 'Taidot' })).getByText('Yoik')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Kampanjat' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Muokkaa profiilia' })).not.toBeInTheDocument();
});

test('a public page shows campaigns, experiments and posts, and how many campaigns its person has backed', async () => {
  serveProfile(
    aPublicProfile({
      campaigns: [aPreview()],
      experiments: [
        {
          experiment_id: 5,
          stage: 2,
          slug: 'koe',
          title: 'Saamenkieliset kyltit',
          short_description: '',
          image: 'scene-x.svg',
          language: 'fi',
          owner: false,
        },
      ],
      posts: [
        {
          id: 8,
          campaign_id: 3,
          slug: 'hoyry',
          title: 'Kiuas on valittu',
          campaign_title: 'Höyry',
          language: 'fi',
          level: 20,
          published_at: '2026-11-14T10:00:00Z',
        },
      ],
      counts: { campaigns: 1, experiments: 1, backed: 4 },
    }),
  );
  await renderAt('/profile/9/', { user: aUser({ user_id: 9 }) });
  const campaigns = within(await screen.findByRole('region', { name: 'Kampanjat' }));
  expect(campaigns.getByRole('link', { name: /Höyry/ })).toHaveAttribute('href', '/3/hoyry/');
  const experiments = within(screen.getByRole('region', { name: 'Kokeilut' }));
  expect(experiments.getByText('Tiimissä')).toBeVisible();
  const posts = within(screen.getByRole('region', { name: 'Kampanjoista' }));
  expect(posts.getByText('Höyry. Tukijoille.')).toBeVisible();
  expect(screen.getByText('Tukenut 4 kampanjaa')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Muokkaa profiilia' })).toHaveAttribute('href', '/profile/me/');
});

test('who has no public page is not found', async () => {
  server.use(http.get(content('/users/9/profile'), () => refusal('not_found', 404)));
  await renderAt('/profile/9/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Tätä sivua ei löydy' })).toBeVisible();
});
