import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { renderAt } from '../../../test/render';
import { content, refusal, server } from '../../../test/server';
import type { Post } from '../../api/post';
import { aCampaign, aPost, aUser } from '../../../test/builders';
import { failing } from '../../../test/campaigns';

const address = '/3/hoyry/posts/4/';

function servePost(overrides: Partial<Post> = {}): void {
  const post = aPost(overrides);
  server.use(
    http.get(content('/campaigns/3/fi/'), () => HttpResponse.json({ campaign: aCampaign(), acl: [] })),
    http.get(content('/campaigns/3/posts/4/'), () => HttpResponse.json({ post })),
  );
}

test('an update has its date and a link back to its campaign', async () => {
  servePost();
  await renderAt(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Kiuas on valittu' })).toBeVisible();
  expect(screen.getByText('Vaihtoehtoja oli kolme.')).toBeVisible();
  expect(screen.getByText('Päivitys · 14.11.2026')).toBeVisible();
  expect(
    await screen.findByRole('link', { name: 'Kampanjaan: Höyry – kylän yhteinen saunalautta' }),
  ).toHaveAttribute('href', '/3/hoyry/');
});

test('an update is requested in the page’s language, and has a lang attribute if it is in another', async () => {
  servePost({ language: 'fi' });
  const asked: (string | null)[] = [];
  server.events.on('request:start', ({ request }) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/posts/4/')) asked.push(searchParams.get('language'));
  });
  server.use(
    http.get(content('/campaigns/3/en/'), () => HttpResponse.json({ campaign: aCampaign(), acl: [] })),
  );
  await renderAt(`/en${address}`);
  const title = await screen.findByRole('heading', { level: 1, name: 'Kiuas on valittu' });
  expect(title).toHaveAttribute('lang', 'fi');
  expect(screen.getByText(/^Update/)).not.toHaveAttribute('lang');
  expect(asked).toEqual(['en']);
  server.events.removeAllListeners();
});

test('an update for backers only says so to others', async () => {
  servePost({ restricted: true, content: { title: 'Kiuas on valittu', html: '' } });
  await renderAt(address);
  expect(await screen.findByText('Tämän päivityksen lukevat vain tukijat.')).toBeVisible();
});

test('a restricted update shows its public part, who can read the rest, and links to pledge and sign in', async () => {
  servePost({ restricted: true, meta: { level: 45 }, content: { title: 'Kiuas', html: '<p>Alku.</p>' } });
  await renderAt(address);
  expect(await screen.findByText('Alku.')).toBeVisible();
  expect(screen.getByText(/^Loput lukevat vähintään 45.€ tukeneet\.$/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Tue ja lue loput' })).toHaveAttribute(
    'href',
    '/3/hoyry/pledge/',
  );
  expect(screen.getByRole('button', { name: 'Olen jo tukija' })).toBeVisible();
});

test('when the campaign has ended, a signed-in reader is offered neither to pledge nor to sign in', async () => {
  servePost({ restricted: true, content: { title: 'Kiuas', html: '<p>Alku.</p>' } });
  server.use(
    http.get(content('/campaigns/3/fi/'), () =>
      HttpResponse.json({ campaign: aCampaign({ stage: 3 }), acl: [] }),
    ),
  );
  await renderAt(address, { user: aUser() });
  expect(await screen.findByText('Loput lukevat vain tukijat.')).toBeVisible();
  await screen.findByRole('link', { name: /^Kampanjaan: / });
  expect(screen.queryByRole('link', { name: 'Tue ja lue loput' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Olen jo tukija' })).not.toBeInTheDocument();
});

test('an update that fails to load has a retry button', async () => {
  servePost();
  const gate = failing('/campaigns/3/posts/4/');
  const { pointer } = await renderAt(address);
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  gate.open();
  await pointer.click(again);
  expect(await screen.findByRole('heading', { level: 1, name: 'Kiuas on valittu' })).toBeVisible();
});

test('an update that does not exist is not found', async () => {
  servePost();
  server.use(http.get(content('/campaigns/3/posts/4/'), () => refusal('not_found', 404)));
  await renderAt(address);
  expect(await screen.findByRole('heading', { level: 1, name: 'Tätä sivua ei löydy' })).toBeVisible();
});
