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
  const asked: URLSearchParams[] = [];
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
    http.get(content('/campaigns/admin/fi/'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({
        campaigns: [{ ...row, campaign_id: 3, title: 'Kolme', stage: 2 }],
        total: 57,
        stages: [1, 0, 57, 0, 0, 0, 0],
      });
    }),
    http.post(content('/front_page/fi/'), async ({ request }) =>
      answer(await request.json(), request.headers.get('If-Match')),
    ),
  );
  return asked;
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
  await pointer.click(campaigns.getByRole('button', { name: 'Siirrä ylös: Kolme' }));
  await pointer.click(campaigns.getByRole('button', { name: 'Poista: Kaksi' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  await waitFor(() =>
    expect(sent).toEqual([{ body: { campaigns: [{ id: 1 }, { id: 3 }], experiments: [] }, ifMatch: '"3"' }]),
  );
});

test('campaigns that may be chosen are looked for among all, and one is told when there are more', async () => {
  const asked = serve(() => HttpResponse.json({}));
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  await pointer.type(await screen.findByRole('searchbox', { name: 'Etsi kampanja' }), 'sauna{Enter}');
  expect(await screen.findByText('Ensimmäiset 1, kaikkiaan 57. Tarkenna hakua.')).toBeVisible();
  expect(Object.fromEntries(asked[0] ?? [])).toEqual({ keyword: 'sauna', stages: '1,2,6', limit: '10' });
});

test('when somebody else has changed it meanwhile, one sees what is chosen now, and the own choice stays', async () => {
  const sent: unknown[] = [];
  serve((body, ifMatch) => {
    sent.push({ body, ifMatch });
    if (ifMatch === '"9"') return HttpResponse.json({ campaigns: [], experiments: [], version: 10 });
    server.use(
      http.get(content('/front_page/fi/'), () =>
        HttpResponse.json({ campaigns: [pick(5, 'Viisi'), pick(1, 'Yksi')], experiments: [], version: 9 }),
      ),
    );
    return HttpResponse.json(
      { status: 'changed_meanwhile', message: 'x', version: 9, request_id: 'x' },
      { status: 412 },
    );
  });
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Poista: Kaksi' }));
  expect(screen.getByRole('button', { name: 'Poista: Yksi' })).toHaveFocus();
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  expect(await screen.findByText(/nyt valittu: Viisi, Yksi\. Valintasi ovat tallella/)).toBeVisible();
  expect(screen.queryByText('Kaksi')).not.toBeInTheDocument();
  expect(screen.queryByText('Viisi')).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  await waitFor(() =>
    expect(sent.at(-1)).toEqual({ body: { campaigns: [{ id: 1 }], experiments: [] }, ifMatch: '"9"' }),
  );
});

test('what the home page does not show now is marked with its reason, and can be taken away', async () => {
  const sent: unknown[] = [];
  serve((body) => {
    sent.push(body);
    return HttpResponse.json({ campaigns: [], experiments: [], version: 4 });
  });
  server.use(
    http.get(content('/front_page/fi/'), () =>
      HttpResponse.json({
        campaigns: [{ ...pick(1, '', 'not_open'), stage: 0 }, pick(2, 'Kaksi', 'not_open')],
        experiments: [pick(3, 'Koe', 'not_open')],
        version: 3,
      }),
    ),
  );
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  const [draft, ended, hidden] = (await screen.findAllByText('Ei näy nyt')).map((chip) =>
    within(chip.closest('li') as HTMLElement),
  );
  expect(draft?.getByText('Luonnos')).toBeVisible();
  expect(ended?.getByText('Aika on päättynyt')).toBeVisible();
  expect(hidden?.getByText('Kokeilu ei ole esillä')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Poista: Nimetön' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  await waitFor(() => expect(sent).toEqual([{ campaigns: [{ id: 2 }], experiments: [{ id: 3 }] }]));
});

test('days in the wrong order are told at their field, before anything is sent', async () => {
  const sent: unknown[] = [];
  serve((body) => {
    sent.push(body);
    return HttpResponse.json({});
  });
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  const item = within((await screen.findByRole('link', { name: 'Yksi' })).closest('li') as HTMLElement);
  await pointer.type(item.getByLabelText(/^Alkaen/), '2026-11-22');
  await pointer.type(item.getByLabelText(/^Asti/), '2026-11-21');
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  expect(item.getByLabelText(/^Asti/)).toHaveFocus();
  expect(item.getByLabelText(/^Asti/)).toHaveAccessibleDescription('Aikaisintaan su 22. marraskuuta 2026.');
  expect(sent).toEqual([]);
});

test('what the server refuses is told at the pick, with the way out, and the first has the focus', async () => {
  serve(() =>
    HttpResponse.json(
      {
        status: 'invalid_fields',
        message: 'x',
        request_id: 'x',
        fields: [
          {
            path: 'campaigns[0].first_day',
            rule: 'date_to',
            params: { max: '2099-12-31' },
            message: 'Viimeistään 2099-12-31.',
          },
          { path: 'campaigns[1].id', rule: 'one_of', message: 'x' },
        ],
      },
      { status: 422 },
    ),
  );
  const { pointer } = await renderAt('/admin/home/', { user: admin });
  const item = within((await screen.findByRole('link', { name: 'Yksi' })).closest('li') as HTMLElement);
  await pointer.type(item.getByLabelText(/^Alkaen/), '2126-11-22');
  await pointer.click(screen.getByRole('button', { name: 'Tallenna etusivu' }));
  expect(await item.findByText('Viimeistään 2099-12-31.')).toBeVisible();
  await waitFor(() => expect(item.getByLabelText(/^Alkaen/)).toHaveFocus());
  expect(screen.getByText('Kaksi: tätä ei enää voi valita. Poista se listalta.')).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Poista: Kaksi' }));
  expect(screen.queryByText(/tätä ei enää voi valita/)).not.toBeInTheDocument();
});
