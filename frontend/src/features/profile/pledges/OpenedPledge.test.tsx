import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { anOwnPledge } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { OpenedPledgeChange } from '../../../api/openedPledge';

jest.setTimeout(30_000);

/** Serves the pledge that the link ABC opens, until it is closed. */
function serve() {
  const seen = {
    pledge: anOwnPledge({ email: 'l···@posti.fi' }),
    isOpen: true,
    calls: [] as string[],
  };
  const answer = async (request: Request, name: string, act?: (body: OpenedPledgeChange) => void) => {
    const body = (await request.json()) as OpenedPledgeChange;
    seen.calls.push(name);
    if (body.token !== 'ABC' || !seen.isOpen) return refusal('email_link_expired', 410);
    act?.(body);
    return HttpResponse.json({ pledge: seen.pledge, open_until: '2026-12-30T22:00:00Z' });
  };
  server.use(
    http.post(content('/pledge-links/pledge/'), ({ request }) => answer(request, 'open')),
    http.post(content('/pledge-links/withdrawal/'), ({ request }) =>
      answer(request, 'withdraw', () => {
        seen.pledge = {
          ...seen.pledge,
          status: 'withdrawn',
          withdrawal: { state: 'done', at: '2026-11-22T07:12:00Z' },
        };
      }),
    ),
    http.post(content('/pledge-links/change/'), ({ request }) =>
      answer(request, 'change', ({ change }) => {
        seen.pledge = { ...seen.pledge, name_shown: change.name_shown ?? seen.pledge.name_shown };
      }),
    ),
    http.post(content('/pledge-links/renewal/'), () => {
      seen.calls.push('renew');
      return new HttpResponse(null, { status: 202 });
    }),
    http.post(content('/pledge-links/closing/'), () => {
      seen.isOpen = false;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return seen;
}

test('a guest sees where the money is, chooses how the name is shown and takes the pledge back, by the link alone', async () => {
  const seen = serve();
  const { pointer, router } = await renderAt('/pledge-link/#token=ABC');
  expect(await screen.findByRole('heading', { name: 'Tukesi' })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/pledge-link/', search: '', hash: '' });
  expect(await screen.findByRole('list', { name: 'Missä raha on' })).toBeVisible();
  expect(screen.getByText(/l···@posti\.fi/)).toBeVisible();
  await pointer.click(screen.getByLabelText('Leena H.'));
  await waitFor(() => expect(seen.calls).toContain('change'));
  await pointer.click(screen.getByText('Peru tuki', { selector: 'button *, button' }));
  await pointer.click(screen.getByText(/Peru ja palauta/));
  expect(await screen.findByText('Tuki on peruttu')).toHaveFocus();
  expect(seen.calls.filter((name) => name !== 'open')).toEqual(['change', 'withdraw']);
});

test('a closed link tells nothing of the pledge, and a new one goes by mail', async () => {
  const seen = serve();
  const { pointer } = await renderAt('/pledge-link/#token=ABC');
  await pointer.click(await screen.findByRole('button', { name: 'Sulje tämä linkki' }));
  await pointer.click(screen.getByRole('button', { name: 'Sulje linkki' }));
  expect(await screen.findByRole('heading', { name: 'Tämä linkki ei enää avaa tukea' })).toBeVisible();
  const page = within(screen.getByRole('main'));
  for (const hidden of [/Höyry/, /45,00/, /posti\.fi/, /Leena/]) expect(page.queryByText(hidden)).toBeNull();
  await pointer.click(screen.getByRole('button', { name: 'Lähetä uusi linkki' }));
  expect(
    await screen.findByText(/uusi on jo matkalla siihen osoitteeseen, jolla tuki maksettiin/),
  ).toBeVisible();
  expect(seen.calls).toContain('renew');
});

test('without a link one is asked for, from the foot of every page', async () => {
  serve();
  await renderAt('/pledge-link/');
  expect(await screen.findByRole('heading', { name: 'Peruuta sopimus tässä' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Peruuta sopimus tässä' })).toHaveAttribute(
    'href',
    '/pledge-link/',
  );
  expect(screen.getByRole('textbox', { name: 'Sähköposti' })).toBeVisible();
});
