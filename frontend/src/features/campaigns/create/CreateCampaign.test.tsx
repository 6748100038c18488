import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { failing } from '../../../../test/campaigns';
import { now } from '../../../../test/clock';
import { renderAt } from '../../../../test/render';
import { content, refusal, server, untilQuiet } from '../../../../test/server';
import { clearPersonalData, signedIn, sessionEnded } from '../../../api/session';
import { paths } from '../../../domain/paths';

jest.setTimeout(60_000);

interface Sent {
  call: string;
  body: unknown;
  /** Idempotency-Key. */
  key: string | null;
  ifMatch: string | null;
}

/** A server that creates one draft for each Idempotency-Key. It answers 503 while `down` and 401 while `ended`. */
function serveDrafts() {
  const state = {
    sent: [] as Sent[],
    drafts: new Map<string, number>(),
    down: false,
    ended: false,
    version: 1,
  };
  const answer = async (request: Request, reply: () => object) => {
    const body: unknown = request.headers.get('Content-Type') ? await request.json() : undefined;
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${pathname.replace('/content', '')}`;
    const { headers } = request;
    state.sent.push({ call, body, key: headers.get('Idempotency-Key'), ifMatch: headers.get('If-Match') });
    if (state.down) return refusal('unavailable', 503);
    if (state.ended) return refusal('token_expired', 401);
    return HttpResponse.json(reply());
  };
  const create = ({ request }: { request: Request }) =>
    answer(request, () => {
      const key = request.headers.get('Idempotency-Key') ?? '';
      if (!state.drafts.has(key)) state.drafts.set(key, 40 + state.drafts.size);
      return { campaign: { campaign_id: state.drafts.get(key), slug: 'mehilaisia', version: state.version } };
    });
  const change = ({ request }: { request: Request }) =>
    answer(request, () => ({ version: (state.version += 1), slug: 'mehilaisia' }));
  server.use(
    http.get(content('/campaigns/categories/'), () =>
      HttpResponse.json({
        categories: [
          { id: 1, label: 'Yhteisö' },
          { id: 7, label: 'Luonto' },
        ],
      }),
    ),
    http.get(content('/users/me/profile'), () =>
      HttpResponse.json({ profile: { image_collection: { profile: { filename: 'avatar-7.svg' } } } }),
    ),
    http.post(content('/v2/campaigns/'), create),
    http.post(content('/v3/campaigns/'), create),
    http.patch(content('/campaigns/:id/settings/'), change),
    http.patch(content('/campaigns/:id/language/'), change),
    http.patch(content('/campaigns/:id/meta/'), change),
    http.post(content('/campaigns/:id/categories/'), change),
    http.post(content('/campaigns/:id/subscriptions_goals/'), change),
    http.post(content('/campaigns/:id/rewards/'), ({ request }) =>
      answer(request, () => ({ reward: { reward_id: 9, version: 1 } })),
    ),
    http.patch(content('/rewards/9/language/'), ({ request }) => answer(request, () => ({ reward: {} }))),
    http.patch(content('/rewards/9/'), ({ request }) => answer(request, () => ({ reward: {} }))),
    // The page that opens afterwards is not under test.
    http.all(content('/campaigns/4*'), () => refusal('not_found', 404)),
  );
  return state;
}

const bodies = (sent: Sent[], call: string) =>
  sent.filter((one) => one.call === call).map(({ body }) => body);
const title = () => screen.findByRole('textbox', { name: 'Kampanjan nimi' });
const press = (name: string | RegExp) => screen.getAllByRole('button', { name })[0]!;
const editPage = paths.editCampaign('fi', { id: 40, slug: 'mehilaisia' });

type Pointer = Awaited<ReturnType<typeof renderAt>>['pointer'];
async function fill(pointer: Pointer, name: string | RegExp, text: string) {
  await pointer.click(screen.getByRole('textbox', { name }));
  await pointer.paste(text);
}

/** Chooses a category, once they are known. */
async function choose(pointer: Pointer, name: string) {
  await pointer.click(await screen.findByRole('button', { name }));
}

test('short form: a title is enough to create a draft, and its page opens', async () => {
  const state = serveDrafts();
  const { pointer, router } = await renderAt('/create-campaign/', { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: 'Suoraan sivulle' }));
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä koulun katolla');
  const opened = new Set<string>();
  router.subscribe(({ navigation }) => navigation.location && opened.add(navigation.location.key));
  await pointer.click(press('Avaa luonnoksen sivu'));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));
  // One navigation only, however long the page takes to load.
  expect(opened.size).toBe(1);
  expect(bodies(state.sent, 'POST /v2/campaigns/')).toEqual([
    { title: 'Mehiläisiä koulun katolla', language: 'fi', stage: 2 },
  ]);
  await waitFor(() => expect(window.localStorage.getItem('tk-edit-new-campaign')).toBeNull());
});

test('until its page is there the form goes on keeping what is typed, whatever holds the navigation up', async () => {
  const state = serveDrafts();
  const { pointer, router } = await renderAt('/create-campaign/', { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: 'Suoraan sivulle' }));
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  let isHeld = false;
  act(() => void router.getBlocker('a guard', () => (isHeld = true)));
  await pointer.click(press('Avaa luonnoksen sivu'));
  await waitFor(() => expect(isHeld).toBe(true));

  await fill(pointer, 'Kampanjan nimi', ' katolla');
  const titles = () => bodies(state.sent, 'PATCH /campaigns/40/language/');
  await waitFor(() =>
    expect(titles()).toEqual([{ fi: expect.objectContaining({ title: 'Mehiläisiä katolla' }) as unknown }]),
  );
  expect(window.localStorage.getItem('tk-edit-new-campaign')).toContain('Mehiläisiä katolla');

  act(() => router.deleteBlocker('a guard'));
  await pointer.click(press('Avaa luonnoksen sivu'));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));
  await waitFor(() => expect(window.localStorage.getItem('tk-edit-new-campaign')).toBeNull());
});

test('guided form: the draft is created once it has a title, and each part is saved by its own requests', async () => {
  const state = serveDrafts();
  const { pointer, router } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.tab();
  expect(await screen.findByText(/^Tallennettu luonnokseen/)).toBeVisible();
  expect(bodies(state.sent, 'POST /v3/campaigns/')).toEqual([
    { title: 'Mehiläisiä', language: 'fi', stage: 2 },
  ]);

  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  await choose(pointer, 'Luonto');
  await pointer.click(press('Jatka: raha ja aika'));
  await waitFor(() =>
    expect(bodies(state.sent, 'POST /campaigns/40/categories/')).toEqual([{ categories: [7] }]),
  );
  await waitFor(() =>
    expect(bodies(state.sent, 'PATCH /campaigns/40/language/')).toEqual([
      { fi: { title: 'Mehiläisiä', tagline: 'Kaksi pesää.' } },
    ]),
  );
  expect(screen.getByText('Mehiläisiä · Luonto')).toBeVisible();

  await fill(pointer, /^Tavoite/, '3 200');
  await pointer.click(screen.getByRole('radio', { name: 'Kaikki tai ei mitään' }));
  await pointer.click(press('Jatka: ensimmäinen vastike'));
  await fill(pointer, 'Vastikkeen nimi', 'Purkki hunajaa');
  await fill(pointer, 'Hinta', '25');
  await pointer.click(press('Jatka: kuka vastaa'));
  await pointer.click(screen.getByRole('radio', { name: 'Yhdistys' }));
  await fill(pointer, 'Vastaajan nimi', 'Koulun vanhemmat ry');
  await fill(pointer, 'Sähköposti tukijoille', 'hunaja@example.fi');
  await pointer.click(press('Avaa luonnoksen sivu'));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));

  const settings = Object.assign({}, ...bodies(state.sent, 'PATCH /campaigns/40/settings/')) as object;
  expect(settings).toMatchObject({
    target_goal: 3200,
    funding_rule: 'all_or_nothing',
    legal_creator: 'Koulun vanhemmat ry',
    contact_email: 'hunaja@example.fi',
  });
  expect(bodies(state.sent, 'PATCH /campaigns/40/meta/')).toEqual([{ legal_creator_type: 'association' }]);
  expect(bodies(state.sent, 'PATCH /rewards/9/')).toContainEqual({ amount: 25, stock: 0, active: 1 });
  expect(state.drafts.size).toBe(1);
  const patches = state.sent.filter(({ call }) => /^PATCH .campaigns/.test(call));
  expect(patches.map(({ ifMatch }) => ifMatch)).not.toContain(null);
});

test('if the response to creating the reward is lost, the request is repeated with the same key', async () => {
  const state = serveDrafts();
  const keys: (string | null)[] = [];
  server.use(
    http.post(content('/campaigns/40/rewards/'), ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1
        ? HttpResponse.error()
        : HttpResponse.json({ reward: { reward_id: 9, version: 1 } });
    }),
  );
  const { pointer } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.tab();
  await screen.findByText(/^Tallennettu luonnokseen/);
  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  await choose(pointer, 'Luonto');
  await pointer.click(press('Jatka: raha ja aika'));
  await fill(pointer, /^Tavoite/, '3 200');
  await pointer.click(screen.getByRole('radio', { name: 'Kaikki tai ei mitään' }));
  await pointer.click(press('Jatka: ensimmäinen vastike'));
  await fill(pointer, 'Vastikkeen nimi', 'Purkki hunajaa');
  await fill(pointer, 'Hinta', '25');
  await pointer.click(press('Jatka: kuka vastaa'));
  await waitFor(() => expect(keys).toHaveLength(1));
  expect(await screen.findByText(/Yhteys katkesi/)).toBeVisible();
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(bodies(state.sent, 'PATCH /rewards/9/')).toHaveLength(1));
  expect(keys).toEqual(['reward-of-draft-40', 'reward-of-draft-40']);
});

test('monthly form: goals take the place of money and time', async () => {
  const state = serveDrafts();
  const { pointer } = await renderAt('/create-campaign/', { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: 'Kuukausitalkoot' }));
  await fill(pointer, 'Kampanjan nimi', 'Kuoro');
  await choose(pointer, 'Yhteisö');
  await pointer.click(press('Jatka: tavoitteet'));
  await pointer.click(press('Jatka: ensimmäinen vastike'));
  expect(screen.getByRole('textbox', { name: '1. tavoite: tukijoita' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: '1. tavoite: tukijoita' })).toHaveAccessibleDescription(
    'Tämä tarvitaan.',
  );
  await fill(pointer, '1. tavoite: tukijoita', '100');
  await fill(pointer, '1. tavoite: mitä silloin tapahtuu', 'Sali');
  await pointer.click(press('Jatka: ensimmäinen vastike'));
  await waitFor(() =>
    expect(bodies(state.sent, 'POST /campaigns/40/subscriptions_goals/').at(-1)).toEqual({
      subscriptions_goals: [{ target: 100, title: 'Sali' }],
    }),
  );
  const [begun] = bodies(state.sent, 'POST /v3/campaigns/');
  expect(begun).toMatchObject({ title: 'Kuoro', stage: 6 });
});

test('a lost connection keeps what was typed, says so, and saving resumes by itself', async () => {
  const state = serveDrafts();
  state.down = true;
  const { pointer, router } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await pointer.click(screen.getByRole('radio', { name: 'Suoraan sivulle' }));
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.click(press('Avaa luonnoksen sivu'));
  expect(await screen.findByText(/Yhteys katkesi/)).toBeVisible();
  expect(await title()).toHaveValue('Mehiläisiä');
  state.down = false;
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));
  // Each attempt had the same key and the same body, so that one draft was created.
  expect(
    new Set(state.sent.filter(({ key }) => key).map(({ key, body }) => JSON.stringify([key, body]))).size,
  ).toBe(1);
});

test('pressing twice creates one campaign', async () => {
  const state = serveDrafts();
  const { pointer, router } = await renderAt('/create-campaign/', { user: aUser() });
  await pointer.click(await screen.findByRole('radio', { name: 'Suoraan sivulle' }));
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.dblClick(press('Avaa luonnoksen sivu'));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));
  expect(bodies(state.sent, 'POST /v2/campaigns/')).toHaveLength(1);
});

test('a visitor’s draft is only on the device until they sign in, then it is saved and its page opens', async () => {
  const state = serveDrafts();
  const { pointer, router, store } = await renderAt('/create-campaign/');
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  await choose(pointer, 'Luonto');
  expect(screen.getByText('Tallessa tällä laitteella')).toBeVisible();
  await pointer.click(press('Loput myöhemmin sivulla'));
  const dialog = await screen.findByRole('dialog', { name: 'Kirjaudu sisään' });
  expect(within(dialog).getByText(/Niin luonnos tallentuu/)).toBeVisible();
  expect(state.sent).toEqual([]);
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  await waitFor(() => expect(router.state.location.pathname).toBe(editPage));
  expect(bodies(state.sent, 'POST /v3/campaigns/')).toEqual([
    { title: 'Mehiläisiä', tagline: 'Kaksi pesää.', categories: [7], language: 'fi', stage: 2 },
  ]);
});

test('a session that expires keeps what was typed; after signing in again it is saved to the same draft', async () => {
  const state = serveDrafts();
  const { pointer, store } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.tab();
  expect(await screen.findByText(/^Tallennettu luonnokseen/)).toBeVisible();
  state.ended = true;
  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  await pointer.tab();
  expect(await screen.findByText(/Istuntosi päättyi/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: /Mitä puuttuu/ })).toHaveValue('Kaksi pesää.');
  state.ended = false;
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  expect(await screen.findByText(/^Tallennettu luonnokseen/)).toBeVisible();
  expect(state.drafts.size).toBe(1);
  expect(bodies(state.sent, 'PATCH /campaigns/40/language/').at(-1)).toMatchObject({
    fi: { tagline: 'Kaksi pesää.' },
  });
});

test('a reload restores the form and the draft; starting over empties it', async () => {
  const state = serveDrafts();
  const first = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(first.pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await choose(first.pointer, 'Luonto');
  await first.pointer.click(press('Jatka: raha ja aika'));
  await fill(first.pointer, /^Tavoite/, '3200');
  first.unmount();
  await waitFor(() =>
    expect(bodies(state.sent, 'PATCH /campaigns/40/settings/').at(-1)).toMatchObject({ target_goal: 3200 }),
  );

  const { pointer } = await renderAt('/create-campaign/', { user: aUser() });
  expect(await screen.findByRole('textbox', { name: /^Tavoite/ })).toHaveValue('3200');
  expect(await screen.findByText('Mehiläisiä · Luonto')).toBeVisible();
  expect(state.drafts.size).toBe(1);
  await pointer.click(screen.getByRole('button', { name: 'Aloita alusta' }));
  const question = await screen.findByRole('dialog', { name: 'Aloitetaanko alusta?' });
  await pointer.click(within(question).getByRole('button', { name: 'Aloita alusta' }));
  expect(await title()).toHaveValue('');
});

test('another person who signs in after a session has ended gets none of its draft', async () => {
  serveDrafts();
  const { pointer, store, unmount } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.tab();
  expect(await screen.findByText(/^Tallennettu luonnokseen/)).toBeVisible();
  act(() => void store.dispatch(sessionEnded('expired')));
  unmount();

  const reloaded = await renderAt('/create-campaign/');
  expect(await title()).toHaveValue('Mehiläisiä');
  const token = { string: 'other', timestamp: now };
  act(() => void reloaded.store.dispatch(signedIn({ token, user: aUser({ user_id: 8 }) })));
  await waitFor(async () => expect(await title()).toHaveValue(''));
});

test('signing out while the last change is being saved leaves no draft on the device', async () => {
  serveDrafts();
  let answer: () => void = () => undefined;
  let isAnswered = false;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const { pointer, router, store } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await pointer.tab();
  expect(await screen.findByText(/^Tallennettu luonnokseen/)).toBeVisible();
  server.use(
    http.patch(content('/campaigns/:id/language/'), async () => {
      await held;
      isAnswered = true;
      return HttpResponse.json({ version: 2, slug: 'mehilaisia' });
    }),
  );
  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  await act(() => router.navigate('/verify-email/'));
  expect(window.localStorage.getItem('tk-edit-new-campaign')).toContain('Kaksi pesää.');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  clearPersonalData();
  act(answer);
  await waitFor(() => expect(isAnswered).toBe(true));
  await act(untilQuiet);
  expect(window.localStorage.getItem('tk-edit-new-campaign')).toBeNull();
});

test('the server’s validation error is shown at its field, in the part that has it', async () => {
  serveDrafts();
  server.use(
    http.post(content('/v3/campaigns/'), () =>
      refusal('invalid_fields', 422, {
        fields: [{ path: 'title', rule: 'name_link', message: 'Ei osoitteita.' }],
      }),
    ),
  );
  const { pointer } = await renderAt('/create-campaign/', { user: aUser() });
  await title();
  await fill(pointer, 'Kampanjan nimi', 'www.talkoot.fi');
  await pointer.tab();
  await waitFor(async () => expect(await title()).toHaveAccessibleDescription('Ei osoitteita.'));
  expect(await title()).toHaveValue('www.talkoot.fi');
});

test('without a title nothing is sent, and the field has an error', async () => {
  const state = serveDrafts();
  const { pointer } = await renderAt('/en/create-campaign/', { user: aUser() });
  await pointer.click((await screen.findAllByRole('button', { name: 'The rest later, on the page' }))[0]!);
  const field = screen.getByRole('textbox', { name: 'Name of the campaign' });
  expect(field).toHaveAccessibleDescription('This is needed.');
  await waitFor(() => expect(field).toHaveFocus());
  expect(state.sent).toEqual([]);
});

test('the preview card shows what is typed', async () => {
  serveDrafts();
  const { pointer } = await renderAt('/create-campaign/');
  await title();
  await fill(pointer, 'Kampanjan nimi', 'Mehiläisiä');
  await fill(pointer, /Mitä puuttuu/, 'Kaksi pesää.');
  const card = screen.getByRole('article');
  expect(within(card).getByText('Mehiläisiä')).toBeVisible();
  expect(within(card).getByText('Kaksi pesää.')).toBeVisible();
  expect(within(card).getByText(/tavoite seuraavaksi/)).toBeVisible();
});

test('categories that cannot be read say so and can be read again: without one nobody gets on', async () => {
  serveDrafts();
  const gate = failing('/campaigns/categories/');
  const { pointer } = await renderAt('/create-campaign/', { user: aUser() });
  const again = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  gate.open();
  await pointer.click(again);
  expect(await screen.findByRole('button', { name: 'Luonto' })).toBeVisible();
});
