import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aCampaign, aUser } from '../../test/builders';
import { aCampaignAdmin } from '../../test/campaignAdmin';
import { serveCampaign } from '../../test/campaigns';
import { renderAt } from '../../test/render';
import { content, server } from '../../test/server';
import type { Campaign } from '../api/content';

/** Serves a campaign to its readers and its editors. */
function serve(acl: Campaign['acl'], overrides: Partial<Campaign> = {}) {
  serveCampaign(aCampaign({ acl, ...overrides }));
  server.use(
    http.get(content('/campaigns/3/admin/'), () => HttpResponse.json({ campaign: aCampaignAdmin() })),
    http.get(content('/campaigns/categories/'), () => HttpResponse.json({ categories: [] })),
    http.get(content('/campaigns/tags/'), () => HttpResponse.json({ tags: [] })),
  );
}
const modes = () => screen.findByRole('navigation', { name: 'Kampanjasivun näkymä' });

test('a draft’s team can switch between view, edit and overview, and is told that nobody else sees it', async () => {
  serve(['view', 'edit'], { stage: 0 });
  await renderAt('/3/hoyry/', { user: aUser() });
  const links = within(await modes()).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Katselu', '/3/hoyry/'],
    ['Muokkaus', '/3/hoyry/edit/'],
    ['Tilanne', '/3/hoyry/overview/'],
  ]);
  expect(links[0]).toHaveAttribute('aria-current', 'page');
  expect(screen.getByText('Luonnos, vain sinä ja tiimi näette tämän')).toBeVisible();
});

test('the mode is in the address, and the back button leads to the previous mode', async () => {
  serve(['view', 'edit', 'admin']);
  const { pointer, router } = await renderAt('/3/hoyry/', { user: aUser() });
  expect(within(await modes()).getByRole('link', { name: 'Admin' })).toBeVisible();
  await pointer.click(within(await modes()).getByRole('link', { name: 'Muokkaus' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/edit/'));
  expect(await screen.findByRole('link', { name: 'Muokkaus', current: 'page' })).toBeVisible();
  await act(() => router.navigate(-1));
  expect(await screen.findByRole('link', { name: 'Katselu', current: 'page' })).toBeVisible();
});

test('a visitor sees no modes', async () => {
  serve(['view']);
  await renderAt('/3/hoyry/', { user: aUser() });
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByRole('navigation', { name: 'Kampanjasivun näkymä' })).not.toBeInTheDocument();
});

test('without the right to edit, the edit address leads to the page and says why', async () => {
  serve(['view']);
  const { router } = await renderAt('/3/hoyry/edit/', { user: aUser() });
  expect(await screen.findByText('Voit vain katsella tätä kampanjaa')).toBeVisible();
  expect(router.state.location.pathname).toBe('/3/hoyry/');
});

test('without a session, the edit address asks to sign in', async () => {
  serve(['view']);
  await renderAt('/3/hoyry/edit/');
  expect(await screen.findByText('Kirjaudu ensin sisään')).toBeVisible();
});

test('the former address of edit mode, ?mode=edit, redirects to the present one', async () => {
  serve(['view', 'edit']);
  const { router } = await renderAt('/3/hoyry/?mode=edit', { user: aUser() });
  expect(router.state.location.pathname).toBe('/3/hoyry/edit/');
});
