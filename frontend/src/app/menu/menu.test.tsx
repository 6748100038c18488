import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { openMenu, pressSignOut } from '../../../test/menu';
import { renderAt } from '../../../test/render';
import { anOwnMenu, content, refusal, server, serveNothing } from '../../../test/server';

beforeEach(serveNothing);

const reijo = aUser({ first_name: 'Reijo', last_name: 'Kukkonen', email: 'reijo@posti.example' });

const serveMenu = (...answer: Parameters<typeof anOwnMenu>) =>
  server.use(http.get(content('/users/me/menu/'), () => HttpResponse.json(anOwnMenu(...answer))));

const face = () => screen.findByRole('button', { name: /Reijo.*, Menu/ });

/** As on a narrow screen, where a sheet holds the menu. */
function narrowly() {
  const wide = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    Object.assign(wide(query), query.startsWith('(max-width: 73') && { matches: true });
  return () => {
    window.matchMedia = wide;
  };
}

test('the menu says what one has, with the next date, and leads there', async () => {
  serveMenu({
    pledges: 2,
    monthly: [{ currency: 'EUR', amount: 7 }],
    next_charge_on: '2026-12-20',
    campaigns: 1,
    campaigns_waiting: 1,
    waiting: 1,
  });
  server.use(
    http.get(content('/users/me/profile'), () => refusal('unavailable', 503)),
    http.get(content('/users/me/money-calendar/en/'), () => refusal('unavailable', 503)),
  );
  const { pointer, router } = await renderAt('/en/', { user: reijo });
  expect(await screen.findByRole('button', { name: /^1 thing waits for you.*Reijo.*, Menu$/ })).toBeVisible();
  const menu = await openMenu(pointer);
  expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Your pledges2',
    'Monthly support€7.00',
    'Money calendarnext 20 Dec',
    'My campaigns1 waits',
    'Profile',
    'Sign-in and data',
    'Sign out',
  ]);
  expect(screen.getByText('Reijo Kukkonen')).toBeVisible();
  expect(screen.getByText('reijo@posti.example')).toBeVisible();
  await pointer.click(menu.getByRole('menuitem', { name: /Money calendar/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/profile/me/calendar/'));
  expect(screen.queryByRole('menu')).toBeNull();
});

test('whoever has no campaign is offered to start one, and nothing waits', async () => {
  const { pointer } = await renderAt('/en/', { user: reijo });
  const menu = await openMenu(pointer);
  expect(await menu.findByRole('menuitem', { name: 'Start a campaign' })).toHaveAttribute(
    'href',
    '/en/create-campaign/',
  );
  expect(menu.getByRole('menuitem', { name: /Monthly support.*none/ })).toBeVisible();
  expect(await face()).toHaveAccessibleName(expect.not.stringContaining('wait'));
});

test('staff have their desk and the reviews first', async () => {
  server.use(http.get(content('/campaigns/review/en/'), () => HttpResponse.json({ reviews: [], total: 3 })));
  const { pointer } = await renderAt('/en/', { user: { ...reijo, scope: ['view', 'admin'] } });
  const menu = await openMenu(pointer);
  expect(await menu.findByRole('menuitem', { name: /^Campaigns in review.*3$/ })).toBeVisible();
  expect(menu.getAllByRole('menuitem')[0]).toHaveTextContent('Admin');
});

test('keys walk through the rows and round; Escape closes the menu and gives the focus back', async () => {
  const { pointer } = await renderAt('/en/', { user: reijo });
  const button = await face();
  button.focus();
  await pointer.keyboard('{Enter}');
  const menu = within(await screen.findByRole('menu', { name: 'Menu' }));
  expect(button).toHaveAttribute('aria-expanded', 'true');
  const row = (name: RegExp) => menu.getByRole('menuitem', { name });
  expect(row(/^Your pledges/)).toHaveFocus();
  await pointer.keyboard('{ArrowUp}');
  expect(row(/^Sign out/)).toHaveFocus();
  await pointer.keyboard('{ArrowDown}{ArrowDown}');
  expect(row(/^Monthly support/)).toHaveFocus();
  await pointer.keyboard('{End}{Home}');
  expect(row(/^Your pledges/)).toHaveFocus();
  await pointer.keyboard('p');
  expect(row(/^Profile/)).toHaveFocus();
  await pointer.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('a press outside and Tab close the menu', async () => {
  const { pointer } = await renderAt('/en/', { user: reijo });
  await openMenu(pointer);
  await pointer.click(screen.getByRole('main'));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await openMenu(pointer);
  await pointer.tab();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  const header = within(screen.getByRole('banner'));
  expect(header.getByRole('link', { name: 'Start a campaign' })).toHaveFocus();
});

test('the button keeps the focus when its person signs out', async () => {
  server.use(http.delete(content('/users/tokens/'), () => new HttpResponse(null, { status: 204 })));
  const { pointer } = await renderAt('/en/', { user: reijo });
  await pressSignOut(pointer);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Sign in' })).toHaveFocus());
});

describe('on a narrow screen', () => {
  let widen: () => void;
  beforeEach(() => {
    widen = narrowly();
  });
  afterEach(() => widen());

  test('the face opens a sheet with the same rows, the site’s links, languages and themes', async () => {
    serveMenu({ pledges: 2 });
    const { pointer, router } = await renderAt('/en/', { user: reijo });
    expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
    await pointer.click(await face());
    const sheet = within(await screen.findByRole('dialog', { name: 'Menu' }));
    expect(await sheet.findByRole('link', { name: /Your pledges.*2/ })).toBeVisible();
    expect(sheet.getByRole('link', { name: 'Experiments' })).toBeVisible();
    expect(sheet.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await pointer.click(sheet.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await pointer.click(sheet.getByRole('radio', { name: 'Device' }));
    expect(window.localStorage.getItem('tk-theme')).toBeNull();
    await pointer.click(sheet.getByRole('link', { name: 'Svenska' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/sv/'));
  });

  test('without a session one signs in, or asks for the links to what one supports', async () => {
    let asked: unknown;
    server.use(
      http.post(content('/order-links/'), async ({ request }) => {
        asked = await request.json();
        return new HttpResponse(null, { status: 202 });
      }),
    );
    const { pointer } = await renderAt('/en/');
    await pointer.click(screen.getByRole('button', { name: 'Menu' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Menu' }));
    expect(sheet.getByRole('button', { name: 'Create an account' })).toBeVisible();
    await pointer.fill(await sheet.findByLabelText('Email'), 'guest@example.fi');
    await pointer.click(sheet.getByRole('button', { name: 'Send the links' }));
    expect(await sheet.findByText('If the address has pledges, the links are on their way.')).toBeVisible();
    expect(asked).toEqual({ email: 'guest@example.fi', language: 'en' });
    await pointer.click(sheet.getByRole('button', { name: 'Sign in' }));
    const dialog = await screen.findByRole('dialog', { name: 'Sign in' });
    await waitFor(() => expect(dialog).toBeVisible());
  });
});
