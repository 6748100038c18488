import { readFileSync } from 'node:fs';
import path from 'node:path';
import { matchRoutes } from 'react-router-dom';
import { addressesOf } from '../../e2e/addresses';
import { http, HttpResponse } from 'msw';
import { renderAt } from '../../test/render';
import { server } from '../../test/server';
import { aUser } from '../../test/builders';
import pages from './pages.generated.json';
import { pageModules } from './routes';

test('the server’s page table and the app’s page modules name the same pages', () => {
  expect(Object.keys(pageModules).sort()).toEqual(pages.map(({ name }) => name).sort());
});

test('the journey that compares first paint and app opens an address of every page', () => {
  const addresses = addressesOf({
    campaign: '/7/hoyry/',
    post: 3,
    experiment: '/experiments/2/lautta/',
    person: 5,
    subscription: '01JD0000000000000000000009',
  });
  const opened = Object.entries(addresses).map(([name, address]) => [
    name,
    matchRoutes(
      pages.map((page) => ({ path: `/${page.path}`, id: page.name })),
      address,
    )?.[0]?.route.id,
  ]);
  expect(Object.fromEntries(opened)).toEqual(Object.fromEntries(pages.map(({ name }) => [name, name])));
});

// The server's own table: the app's copy has only what its router reads.
const table = path.resolve(__dirname, '../../../services/content/internal/web/pages.json');
const titled = (
  JSON.parse(readFileSync(table, 'utf8')) as { name: string; path: string; title?: string }[]
).filter((page): page is { name: string; path: string; title: string } => page.title !== undefined);

test.each(titled)('the title that the server gives /sv/$path stays', async (page) => {
  server.use(http.all('*', () => HttpResponse.json({ status: 'unavailable' }, { status: 503 })));
  const address = page.path
    .replace(/:choice\?\//, '')
    .replace(/:(subscription|claim)\b/, '01JD0000000000000000000009')
    .replace(/:\w+Id/g, '3')
    .replace(/:\w+\??/g, 'hoyry');
  // The sign-in page leads whoever is signed in on at once.
  const user = page.name === 'sign-in-page' ? undefined : aUser({ scope: ['edit', 'admin'] });
  const { i18n } = await renderAt(`/sv/${address}`, { user });
  expect(document.title).toBe(`${i18n.t(page.title as 'home.title')} – ${i18n.t('site.name')}`);
});
