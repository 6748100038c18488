import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });
const pick = (id: number, title: string, shown = 'now') => ({
  id,
  slug: 'x',
  title,
  language: 'fi',
  stage: 2,
  shown,
});

function serve(answer: (body: unknown, ifMatch: string | null) => Response) {
  const row = {
    slug: 'x',
    language: 'fi',
    creator: 'A',
    review: 'none',
    currency: 'EUR',
    raised: 0,
    goal: 1,
    version: 1,
  };
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
    http.get(content('/front_page/fi/'), () =>
      HttpResponse.json({
        campaigns: [pick(1, 'Yksi'), pick(2, 'Kaksi', 'over')],
        experiments: [],
        version: 3,
      }),
    ),
    http.get(content('/campaigns/admin/fi/'), () =>
      HttpResponse.json({
        campaigns: [
          { ...row, campaign_id: 3, title: 'Kolme', stage: 2 },
          { ...row, campaign_id: 4, title: 'Luonnos', stage: 0 },
        ],
        total: 2,
        stages: [1, 0, 1, 0, 0, 0, 0],
      }),
    ),
    http.post(content('/front_page/fi/'), async ({ request }) =>
      answer(await request.json(), request.headers.get('If-Match')),
    ),
  );
}

test('campaigns are found, added, moved and saved in their order from the version that was seen', async () => {
  const sent: unknown[] = [];
  serve((body, ifMatch) => {
    sent.push({ body, ifMatch });
    return HttpResponse.json({ campaigns: [], experiments: [], version: 4 });
  });
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  const campaigns = within(await screen.findByRole('region', { name: 'Kampanjat' }));
  expect(campaigns.getByText('Päivät ovat ohi')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Tallenna etusivu' })).toBeDisabled();
  await pointer.type(campaigns.getByRole('searchbox', { name: 'Etsi kampanja' }), 'kol{Enter}');
  await pointer.click(await campaigns.findByRole('button', { name: 'Lisää: Kolme' }));
  expect(campaigns.queryByText('Luonnos')).not.toBeInTheDocument();
  await pointer.click(campaigns.getByRole('button', { name: 'Siirrä ylös: Kolme' }));
  await pointer.click(campaigns.getByRole('button', { name: 'Poista: Kaksi' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  await waitFor(() =>
    expect(sent).toEqual([{ body: { campaigns: [{ id: 1 }, { id: 3 }], experiments: [] }, ifMatch: '"3"' }]),
  );
});

test('when somebody else has changed it meanwhile, what was chosen stays', async () => {
  serve(() =>
    HttpResponse.json(
      { status: 'changed_meanwhile', message: 'x', version: 9, request_id: 'x' },
      { status: 412 },
    ),
  );
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Poista: Kaksi' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  expect(await screen.findByText(/Valintasi ovat tallella/)).toBeVisible();
  expect(screen.queryByText('Kaksi')).not.toBeInTheDocument();
});
