import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

const admin = aUser({ scope: ['view', 'edit', 'admin'] });

function serve() {
  const sent: { what: string; ifMatch: string | null; body?: unknown }[] = [];
  const noted = async (what: string, request: Request) => {
    const text = await request.text();
    sent.push({
      what,
      ifMatch: request.headers.get('If-Match'),
      ...(text && { body: JSON.parse(text) as unknown }),
    });
  };
  const categories = [
    { category_id: 1, labels: { fi: 'Ruoka', en: 'Food' }, campaigns: 3, version: 2 },
    { category_id: 2, labels: { fi: 'Musiikki', en: 'Music', sv: 'Musik' }, campaigns: 0, version: 1 },
  ];
  const tags = [
    { tag_id: 5, labels: { fi: 'sauna' }, campaigns: 12000, experiments: 1, people: 2, version: 3 },
    { tag_id: 6, labels: { fi: 'löyly', en: 'steam' }, campaigns: 0, experiments: 0, people: 0, version: 1 },
  ];
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
    http.get(content('/campaigns/categories/admin/'), () => HttpResponse.json({ categories })),
    http.get(content('/campaigns/tags/admin/'), () => HttpResponse.json({ tags })),
    http.post(content('/campaigns/categories/order/'), async ({ request }) => {
      await noted('order', request);
      return HttpResponse.json({ categories });
    }),
    http.post(content('/campaigns/categories/'), async ({ request }) => {
      await noted('create', request);
      return HttpResponse.json(
        {
          status: 'invalid_fields',
          message: 'x',
          request_id: 'x',
          fields: [{ path: 'labels.en', rule: 'label_taken', message: 'Tämä nimi on jo toisella.' }],
        },
        { status: 422 },
      );
    }),
    http.patch(content('/campaigns/categories/1/'), async ({ request }) => {
      await noted('rename', request);
      return HttpResponse.json({ category: categories[0] });
    }),
    http.delete(content('/campaigns/tags/5/'), async ({ request }) => {
      await noted(`retire${new URL(request.url).search}`, request);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

test('names stand beside each other, missing ones are marked, and only what is changed is sent', async () => {
  const sent = serve();
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  const row = within(await screen.findByRole('row', { name: /Ruoka/ }));
  expect(row.getByText('Puuttuu')).toBeVisible();
  expect(row.getByText('3 kampanjaa')).toBeVisible();
  expect(row.queryByRole('button', { name: 'Poista: Ruoka' })).not.toBeInTheDocument();
  await pointer.click(row.getByRole('button', { name: 'Nimeä: Ruoka' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Aiheen nimi' }));
  await pointer.type(dialog.getByLabelText('Ruotsiksi'), 'Mat');
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  await waitFor(() =>
    expect(sent).toEqual([{ what: 'rename', ifMatch: '"2"', body: { labels: { sv: 'Mat' } } }]),
  );
});

test('a name that another has is told at its field, and what was typed stays', async () => {
  serve();
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Lisää aihe' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Uusi aihe' }));
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  expect(await dialog.findByText('Tämä tarvitaan.')).toBeVisible();
  await pointer.fill(dialog.getByLabelText('Englanniksi'), 'Music');
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  expect(await dialog.findByText('Tämä nimi on jo toisella.')).toBeVisible();
  expect(dialog.getByLabelText('Englanniksi')).toHaveFocus();
  expect(dialog.getByLabelText('Englanniksi')).toHaveValue('Music');
});

const changedMeanwhile = (fields: { path: string; rule: string; message: string }[] = []) =>
  HttpResponse.json({ status: 'changed_meanwhile', message: 'x', request_id: 'x', fields }, { status: 412 });

test('categories are moved, and the whole order is saved at once with the one that was seen', async () => {
  const sent = serve();
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  expect(await screen.findByRole('button', { name: 'Siirrä ylös: Ruoka' })).toHaveAttribute('aria-disabled');
  expect(screen.queryByRole('button', { name: 'Tallenna järjestys' })).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Siirrä alas: Ruoka' }));
  expect(screen.getAllByRole('row').at(1)).toHaveTextContent('Musiikki');
  expect(sent).toEqual([]);
  await pointer.click(screen.getByRole('button', { name: 'Tallenna järjestys' }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ categories: [2, 1], seen: [1, 2] }]));
});

test('who leaves while the order is being saved is told of it all the same', async () => {
  serve();
  let save: (() => void) | undefined;
  const saved = new Promise<void>((resolve) => (save = resolve));
  let isAsked = false;
  server.use(
    http.post(content('/campaigns/categories/order/'), async () => {
      isAsked = true;
      await saved;
      return HttpResponse.json({ categories: [] });
    }),
  );
  const { pointer, router } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Siirrä alas: Ruoka' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna järjestys' }));
  await waitFor(() => expect(isAsked).toBe(true));
  await act(() => router.navigate('/admin/tags/', { state: { isAskedAlready: true } }));
  expect(await screen.findByText('löyly')).toBeVisible();
  save?.();
  expect(await screen.findByText('Tallennettu.')).toBeVisible();
});

test('an order that is moved back, or taken back, is as it was', async () => {
  serve();
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Siirrä alas: Ruoka' }));
  await pointer.click(screen.getByRole('button', { name: 'Siirrä ylös: Ruoka' }));
  expect(screen.queryByRole('button', { name: 'Tallenna järjestys' })).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Siirrä alas: Ruoka' }));
  await pointer.click(screen.getByRole('button', { name: 'Palauta' }));
  expect(screen.getAllByRole('row').at(1)).toHaveTextContent('Ruoka');
});

test('when somebody else has moved and added categories meanwhile, one sees theirs, and the own order stays', async () => {
  const sent = serve();
  const named = (id: number, fi: string) => ({ category_id: id, labels: { fi }, campaigns: 0, version: 1 });
  let saved = [named(1, 'Ruoka'), named(2, 'Musiikki'), named(3, 'Pelit')];
  server.use(
    http.get(content('/campaigns/categories/admin/'), () => HttpResponse.json({ categories: saved })),
    http.post(
      content('/campaigns/categories/order/'),
      () => {
        saved = [named(3, 'Pelit'), named(1, 'Ruoka'), named(2, 'Musiikki'), named(4, 'Tiede')];
        return changedMeanwhile();
      },
      { once: true },
    ),
  );
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Siirrä alas: Ruoka' }));
  await pointer.click(screen.getByRole('button', { name: 'Tallenna järjestys' }));
  expect(await screen.findByText(/toinen järjestys: Pelit, Ruoka, Musiikki, Tiede\./)).toBeVisible();
  const order = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);
  expect(order).toEqual(['Musiikki', 'Ruoka', 'Pelit', 'Tiede']);
  await pointer.click(screen.getByRole('button', { name: 'Tallenna järjestys' }));
  await waitFor(() =>
    expect(sent.map(({ body }) => body)).toEqual([{ categories: [2, 1, 3, 4], seen: [3, 1, 2, 4] }]),
  );
});

test('a category that somebody has added meanwhile is no other order', async () => {
  const sent = serve();
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Siirrä alas: Ruoka' }));
  server.use(
    http.get(content('/campaigns/categories/admin/'), () =>
      HttpResponse.json({
        categories: [1, 2, 9].map((id) => ({
          category_id: id,
          labels: { fi: `l${id}` },
          campaigns: 0,
          version: 1,
        })),
      }),
    ),
  );
  // Renaming reads the list again.
  await pointer.click(screen.getByRole('button', { name: 'Nimeä: Ruoka' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Aiheen nimi' }));
  await pointer.type(dialog.getByLabelText('Ruotsiksi'), 'Mat');
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  expect(await screen.findByText('l9')).toBeVisible();
  expect(screen.queryByText(/toinen järjestys/)).not.toBeInTheDocument();
  await pointer.click(screen.getByRole('button', { name: 'Tallenna järjestys' }));
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ categories: [2, 1, 9], seen: [1, 2, 9] }));
});

test('a name that somebody else has changed meanwhile is told beside what was typed, which can be saved then', async () => {
  const sent = serve();
  let now = { category_id: 1, labels: { fi: 'Ruoka' }, campaigns: 0, version: 2 };
  server.use(
    http.get(content('/campaigns/categories/admin/'), () => HttpResponse.json({ categories: [now] })),
    http.patch(
      content('/campaigns/categories/1/'),
      () => {
        now = { ...now, labels: { fi: 'Keittiö' }, version: 3 };
        return changedMeanwhile([
          { path: 'labels.fi', rule: 'changed_meanwhile', message: 'Joku muu on muuttanut tätä.' },
        ]);
      },
      { once: true },
    ),
  );
  const { pointer } = await renderAt('/admin/categories/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Nimeä: Ruoka' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Aiheen nimi' }));
  await pointer.type(dialog.getByLabelText('Suomeksi'), ' ja juoma');
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  expect(await dialog.findByText(/Joku muu on muuttanut tätä\./)).toBeVisible();
  expect(await dialog.findByText(/Tallessa nyt: Keittiö\./)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  await waitFor(() =>
    expect(sent).toEqual([{ what: 'rename', ifMatch: '"3"', body: { labels: { fi: 'Ruoka ja juoma' } } }]),
  );
});

/** Two categories, whose renames wait until they are let go, one by one. */
function serveSlowly() {
  const names = new Map([
    [1, 'Ruoka'],
    [2, 'Musiikki'],
  ]);
  const waiting = new Map<number, () => void>();
  server.use(
    http.get(content('/campaigns/review/:language/'), () => HttpResponse.json({ reviews: [], total: 0 })),
    http.get(content('/campaigns/categories/admin/'), () =>
      HttpResponse.json({
        categories: [...names].map(([id, fi]) => ({
          category_id: id,
          labels: { fi },
          campaigns: 1,
          version: 1,
        })),
      }),
    ),
    http.patch(content('/campaigns/categories/:id/'), async ({ params, request }) => {
      const id = Number(params.id);
      const { labels } = (await request.json()) as { labels: { fi: string } };
      await new Promise<void>((go) => waiting.set(id, go));
      names.set(id, labels.fi);
      return HttpResponse.json({ category: { category_id: id, labels, campaigns: 1, version: 2 } });
    }),
  );
  return { waiting };
}

async function rename({ pointer }: Awaited<ReturnType<typeof renderAt>>, name: string, to: string) {
  await pointer.click(await screen.findByRole('button', { name: `Nimeä: ${name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Aiheen nimi' }));
  await pointer.clear(dialog.getByLabelText('Suomeksi'));
  await pointer.type(dialog.getByLabelText('Suomeksi'), to);
  await pointer.click(dialog.getByRole('button', { name: 'Tallenna' }));
  return dialog;
}

test('what was closed while it was being saved closes no other when it is saved, and what was saved is shown meanwhile', async () => {
  const { waiting } = serveSlowly();
  const app = await renderAt('/admin/categories/', { user: admin });
  const first = await rename(app, 'Ruoka', 'Keittiö');
  await waitFor(() => expect(waiting.has(1)).toBe(true));
  await app.pointer.click(first.getByRole('button', { name: 'Peruuta' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  // Another write of the same hangs: what this one has made is read all the same, before it says that it is done.
  await rename(app, 'Musiikki', 'Sävelet');
  await waitFor(() => expect(waiting.has(2)).toBe(true));
  waiting.get(2)?.();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Nimeä: Sävelet', hidden: true })).toBeInTheDocument();

  await app.pointer.click(await screen.findByRole('button', { name: 'Nimeä: Sävelet' }));
  const open = await screen.findByRole('dialog', { name: 'Aiheen nimi' });
  await app.pointer.type(within(open).getByLabelText('Suomeksi'), '!');
  waiting.get(1)?.();
  expect(await screen.findByRole('button', { name: 'Nimeä: Keittiö', hidden: true })).toBeInTheDocument();
  expect(open).toBeVisible();
  expect(within(open).getByLabelText('Suomeksi')).toHaveValue('Sävelet!');
});

test('a read of something else that hangs keeps nobody waiting', async () => {
  const { waiting } = serveSlowly();
  server.use(http.get(content('/users/me/menu/'), () => new Promise<never>(() => undefined)));
  const app = await renderAt('/admin/categories/', { user: admin });
  await rename(app, 'Ruoka', 'Keittiö');
  await waitFor(() => expect(waiting.has(1)).toBe(true));
  waiting.get(1)?.();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Nimeä: Keittiö', hidden: true })).toBeInTheDocument();
});

test('what happens to what has a tag is said before it is retired or merged', async () => {
  const sent = serve();
  const { pointer } = await renderAt('/admin/tags/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Poista käytöstä: sauna' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Poistetaanko sauna käytöstä?' }));
  expect(dialog.getByText(/12.000 kampanjaa, 1 kokeilu, 2 ihmistä: avainsana katoaa/)).toBeVisible();
  await pointer.selectOptions(dialog.getByLabelText('Mitä sen tilalle'), 'löyly');
  expect(dialog.getByText(/tilalle tulee löyly/)).toBeVisible();
  await pointer.click(dialog.getByRole('button', { name: 'Yhdistä' }));
  await waitFor(() => expect(sent).toEqual([{ what: 'retire?into=6', ifMatch: '"3"' }]));
});

test('a tag is not taken away without the one that was to replace it, when that is gone meanwhile', async () => {
  const sent = serve();
  const tag = (id: number, fi: string) => ({
    tag_id: id,
    labels: { fi },
    campaigns: 3,
    experiments: 0,
    people: 0,
    version: 1,
  });
  let tags = [tag(5, 'sauna'), tag(6, 'löyly')];
  server.use(
    http.get(content('/campaigns/tags/admin/'), () => HttpResponse.json({ tags })),
    http.delete(
      content('/campaigns/tags/5/'),
      () => {
        tags = [tag(5, 'sauna'), tag(7, 'kiuas')];
        return refusal('invalid_fields', 422, {
          fields: [{ path: 'into', rule: 'one_of', message: 'x' }],
        });
      },
      { once: true },
    ),
  );
  const { pointer } = await renderAt('/admin/tags/', { user: admin });
  await pointer.click(await screen.findByRole('button', { name: 'Poista käytöstä: sauna' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Poistetaanko sauna käytöstä?' }));
  await pointer.selectOptions(dialog.getByLabelText('Mitä sen tilalle'), 'löyly');
  await pointer.click(dialog.getByRole('button', { name: 'Yhdistä' }));
  expect(await dialog.findByText('Jokin kohta kaipaa korjausta.')).toBeVisible();
  expect(await dialog.findByRole('option', { name: 'kiuas' })).toBeInTheDocument();
  expect(dialog.getByText(/tilalle tulee löyly/)).toBeVisible();
  await pointer.selectOptions(dialog.getByLabelText('Mitä sen tilalle'), 'kiuas');
  await pointer.click(dialog.getByRole('button', { name: 'Yhdistä' }));
  await waitFor(() => expect(sent.map(({ what }) => what)).toEqual(['retire?into=7']));
});

test('who renames a tag of many campaigns is told that it takes a while; the search is in the address', async () => {
  serve();
  const { pointer, router } = await renderAt('/admin/tags/', { user: admin });
  await pointer.type(await screen.findByRole('searchbox', { name: 'Avainsanan nimi' }), 'SAU{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?keyword=SAU'));
  await waitFor(() => expect(screen.queryByText('löyly')).not.toBeInTheDocument());
  await pointer.click(screen.getByRole('button', { name: 'Nimeä: sauna' }));
  expect(await screen.findByText(/Avainsana on 12.000 kampanjalla/)).toBeVisible();
});
