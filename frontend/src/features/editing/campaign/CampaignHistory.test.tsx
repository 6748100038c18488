import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPostPreview, aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts } from '../../../../test/campaignAdmin';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const address = '/3/hoyry/edit/';
const open = () => renderAt(address, { user: aUser() });
const doc = (...texts: readonly string[]) => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
});
const byTuomo = (path: string) => ({
  id: 1,
  at: '2026-11-20T11:07:00Z',
  by: { user_id: 12, name: 'Tuomo', actor: 'user' as const },
  action: 'change_texts',
  entity: 'campaign' as const,
  entity_id: 3,
  fields: [{ path, long: false, before: 'Höyry', after: 'Saunalautta' }],
});

test('the history says who changed what, and restores an earlier text', async () => {
  const state = serveEditing(aCampaignAdmin({ texts: { fi: someTexts({ title: 'Saunalautta' }) } }));
  state.history = [byTuomo('fi.title')];
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  expect(await drawer.findByText('Tuomo')).toBeVisible();
  await pointer.click(drawer.getByRole('button', { name: /^Palauta tämä/ }));
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry'));
});

test('the history restores settings, shows them in words, and says why others cannot be restored', async () => {
  const state = serveEditing(
    aCampaignAdmin({ settings: { contact_email: 'lautta@example.fi', first_day_of_funding: '2026-12-06' } }),
  );
  const change = (id: number, path: string, before: unknown, after: unknown) => ({
    ...byTuomo(path),
    id,
    fields: [{ path, long: false, ...(before !== undefined && { before, after }) }],
  });
  state.history = [
    change(1, 'first_day_of_funding', '2026-12-01', '2026-12-06'),
    change(2, 'target_goal', 18_000, 24_000),
    change(3, 'hideMemberCount', true, false),
    change(4, 'tags', [2], [1]),
    change(5, 'categories', [77], [1]),
    change(6, 'fi.json_description', undefined, undefined),
    change(7, 'team', undefined, undefined),
    change(8, 'stage', 0, 1),
    change(9, 'place', 'Pielavesi', 'Kuopio'),
    change(10, 'project_pic', 'scene-hoyry.svg', 'hoyry.svg'),
  ];
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  const row = async (words: string) =>
    within((await drawer.findByText(words)).closest<HTMLElement>('[class*=field]')!);
  for (const [name, before] of [
    ['Alkaa', '1.12.2026'],
    ['Tavoite', '18 000 €'],
    ['Piilota tukijoiden määrä', 'Kyllä'],
    ['Avainsanat', 'Talkoot'],
  ] as const) {
    const field = await row(name);
    expect(
      await field.findByText((_, element) => element?.textContent.replace(/\s/g, ' ') === before),
    ).toBeVisible();
    await pointer.click(field.getByRole('button', { name: /^Palauta tämä/ }));
  }
  await pointer.click((await row('Kansikuva')).getByRole('button', { name: /^Palauta tämä/ }));
  await waitFor(() =>
    expect(state.sent.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { first_day_of_funding: '2026-12-01' },
        { target_goal: 18_000 },
        { hideMemberCount: true },
        { tags: [2] },
        { project_pic: '' },
      ]),
    ),
  );
  expect(await (await row('Aiheet')).findByText(/ei ole enää valittavissa/)).toBeVisible();
  expect((await row('Tarina · Suomi')).getByText(/oli tyhjä/)).toBeVisible();
  expect((await row('Tiimi')).getByText(/omassa kohdassaan/)).toBeVisible();
  expect((await row('Vaihe')).getByText(/ei peruunnu/)).toBeVisible();
  expect((await row('Paikkakunta')).getByText('Näin se on nyt.')).toBeVisible();
});

test('no category is called gone while the categories are being read', async () => {
  const state = serveEditing();
  const field = { path: 'categories', long: false, before: [77], after: [1] };
  state.history = [{ ...byTuomo('categories'), fields: [field] }];
  let read: (() => void) | undefined;
  const known = new Promise<void>((resolve) => (read = resolve));
  server.use(http.get(content('/campaigns/categories/'), async () => (await known, undefined)));
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  expect(await drawer.findByText('Aiheet')).toBeVisible();
  expect(drawer.queryByText(/ei ole enää valittavissa/)).not.toBeInTheDocument();
  read?.();
  expect(await drawer.findByText(/ei ole enää valittavissa/)).toBeVisible();
});

test('a long value is loaded on request, and can be restored', async () => {
  const story = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Ennen' }] }] };
  const state = serveEditing();
  state.history = [
    { ...byTuomo('fi.json_description'), fields: [{ path: 'fi.json_description', long: true }] },
  ];
  let isDown = true;
  server.use(
    http.get(content('/campaigns/3/history/1/fi.json_description/'), () =>
      isDown
        ? refusal('unavailable', 503)
        : HttpResponse.json({ before: story, after: doc('Ennen', 'Lisää') }),
    ),
  );
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  const show = await drawer.findByRole('button', { name: 'Näytä, mitä siinä luki' });
  await pointer.click(show);
  expect(await drawer.findByText(/hetken päästä/)).toBeVisible();
  isDown = false;
  await pointer.click(show);
  // Only the blocks that were changed.
  expect(await drawer.findByText('Lisää')).toBeVisible();
  expect(drawer.queryByText('Ennen')).not.toBeInTheDocument();
  await pointer.click(drawer.getByRole('button', { name: /^Palauta tämä/ }));
  await waitFor(() => expect(state.admin.texts.fi?.json_description).toEqual(story));
});

test('review states and campaign stages are shown in words', async () => {
  const state = serveEditing(aCampaignAdmin());
  const change = (id: number, path: string, before: unknown, after: unknown) => ({
    ...byTuomo(path),
    id,
    fields: [{ path, long: false, before, after }],
  });
  state.history = [
    change(1, 'stage', 0, 1),
    change(2, 'review', 'requested', 'changes_requested'),
    change(3, 'review', 'none', 'requested'),
  ];
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  await drawer.findByText('Vaihe');
  const said = (role: 'deletion' | 'insertion') => drawer.getAllByRole(role).map((one) => one.textContent);
  expect(said('deletion')).toEqual(['Luonnos', 'Tarkistettavana']);
  expect(said('insertion')).toEqual(['Alkaa pian', 'Muutoksia pyydetty', 'Tarkistettavana']);
});

test('a change is told by its words, what is the same or empty on both sides is left out, and the way back names its part', async () => {
  const state = serveEditing(aCampaignAdmin());
  const field = (path: string, before: unknown, after: unknown) => ({ path, long: false, before, after });
  state.history = [
    {
      ...byTuomo('fi.tagline'),
      fields: [
        field('fi.tagline', 'Puuttuu vielä kiuas.', 'Puuttuu enää kiuas.'),
        field('fi.about_creator', '', null),
        field('place', 'Inari', 'Inari'),
      ],
    },
    {
      ...byTuomo('place'),
      id: 2,
      by: { user_id: 13, name: 'Aino', actor: 'user' },
      fields: [field('place', '', '')],
    },
  ];
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  expect((await drawer.findByRole('deletion')).textContent).toBe('vielä');
  expect(drawer.getByRole('insertion').textContent).toBe('enää');
  expect(drawer.queryByText('Paikkakunta')).not.toBeInTheDocument();
  expect(drawer.queryByText('Aino')).not.toBeInTheDocument();
  expect(drawer.getByRole('button', { name: /^Palauta tämä ?: Iskulause · Suomi$/ })).toBeVisible();
});

test('changes of rewards, updates, team and steps say which field, and what it was and became, in words', async () => {
  const state = serveEditing(aCampaignAdmin());
  const field = (path: string, before: unknown, after: unknown) => ({ path, long: false, before, after });
  const change = (
    id: number,
    entity: 'campaign' | 'reward' | 'post',
    action: string,
    ...fields: ReturnType<typeof field>[]
  ) => ({
    ...byTuomo('place'),
    id,
    entity,
    entity_id: 3,
    action,
    fields,
  });
  state.history = [
    change(
      1,
      'reward',
      'change_reward',
      field('amount', 20, 25.5),
      field('stock', 0, 40),
      field('active', 0, 1),
      field('delivery', '2027-03', '2027-04'),
      field('fi.title', 'Kuppi', 'Kuppi'),
      field('added_costs', [], [{ amount_minor: 500, description: { FI: 'Postitus', EN: 'Post' } }]),
    ),
    change(2, 'post', 'publish_post', field('status', 'draft', 'published'), field('meta.level', 0, 1)),
    change(3, 'post', 'change_post', field('content.fi.json', doc('Vanha loppu'), doc('Uusi loppu'))),
    change(4, 'campaign', 'change_team', field('team', ['Maija', ''], ['Maija'])),
    change(5, 'campaign', 'take_backers_table'),
    change(
      6,
      'campaign',
      'change_goals',
      field('subscriptions_goals', [], [{ id: 7, target: 40, texts: { fi: { title: 'Katto' } } }]),
    ),
  ];
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  await drawer.findAllByText('Muutti vastiketta');
  const said = (role: 'deletion' | 'insertion') =>
    drawer.getAllByRole(role).map((one) => one.textContent.replace(/\s/g, ' '));
  expect(said('deletion')).toEqual([
    '20 €',
    'Rajaton',
    'Piilossa',
    'maaliskuu 2027',
    'Luonnos',
    'Kaikki',
    'Vanha',
    'Maija, Poistettu tili',
  ]);
  expect(said('insertion')).toEqual([
    '25,50 €',
    '40',
    'Näkyvissä',
    'huhtikuu 2027',
    'Postitus 5 €',
    'Julkaistu',
    'Tukijat',
    'Uusi',
    'Maija',
    '40 tukijaa: Katto',
  ]);
  expect(drawer.getByText('Latasi tukijoiden taulukon')).toBeVisible();
  expect(drawer.getByText('Kuka lukee')).toBeVisible();
  expect(drawer.queryByText('Otsikko · Suomi')).toBeNull();
});

test('a change of an update says which one, also of one without a title', async () => {
  const state = serveEditing();
  const changeOf = (id: number) => ({
    ...byTuomo('fi.title'),
    id,
    action: 'change_post',
    entity: 'post' as const,
    entity_id: id,
  });
  state.history = [changeOf(4), changeOf(5)];
  server.use(
    http.get(content('/campaigns/3/posts/preview/'), () =>
      HttpResponse.json({
        previews: [aPostPreview(), aPostPreview({ id: 5, status: 'draft', title: '', intro: 'Hormi tuli.' })],
        total: 2,
      }),
    ),
  );
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('button', { name: 'Muutoshistoria' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Muutoshistoria' }));
  expect(await drawer.findByText(/: Kiuas on valittu$/)).toBeVisible();
  expect(await drawer.findByText(/: Hormi tuli\.$/)).toBeVisible();
});
