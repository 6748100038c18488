import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts } from '../../../../test/campaignAdmin';
import { failing } from '../../../../test/campaigns';
import { now } from '../../../../test/clock';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { aReview, aReviewedPart, aReviewNote, someReviewChanges } from '../../../../test/review';
import { content, refusal, server } from '../../../../test/server';
import { sessionEnded, signedIn } from '../../../api/session';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const address = '/3/hoyry/edit/';
const field = (name: string) => screen.findByRole('textbox', { name });
const open = () => renderAt(address, { user: aUser() });
const byTuomo = (path: string) => ({
  id: 1,
  at: '2026-11-20T11:07:00Z',
  by: { user_id: 12, name: 'Tuomo', actor: 'user' as const },
  action: 'change_texts',
  entity: 'campaign' as const,
  entity_id: 3,
  fields: [{ path, long: false, before: 'Höyry', after: 'Saunalautta' }],
});

test('a text is saved when its field loses the focus, with the version that was read', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  let answer: () => void = () => undefined;
  const looked = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
  server.use(http.patch(content('/campaigns/3/language/'), () => looked));
  await pointer.fill(await field('Otsikko'), ' 2');
  await pointer.tab();
  expect(screen.getByText('Tallennetaan…')).toBeVisible();
  answer();
  expect(await screen.findByText(/^Tallennettu/)).toBeVisible();
  expect(state.sent).toEqual([{ path: 'language', body: { fi: { title: 'Höyry 2' } }, upon: '"3"' }]);
});

test.each([
  ['2026-11-20T10:00:00Z', 'Tallennettu 12.00'],
  ['2026-11-17T10:00:00Z', 'Tallennettu 17.11.'],
])('a text saved at %s is told as %s: a time of day alone is of today', async (updatedAt, words) => {
  const admin = aCampaignAdmin();
  const texts = Object.entries(admin.texts).map(([language, text]) => [
    language,
    { ...text, updated_at: updatedAt },
  ]);
  serveEditing({ ...admin, texts: Object.fromEntries(texts) as typeof admin.texts });
  await open();
  expect(await screen.findByText(words)).toBeVisible();
});

test('each language has its own texts, and a missing one is marked', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('radio', { name: /Svenska/ }));
  expect(screen.getByRole('radio', { name: /Svenska/ }).parentElement).toHaveTextContent('puuttuu');
  expect(await field('Otsikko')).toHaveValue('');
  await pointer.fill(await field('Otsikko'), 'Ånga');
  await pointer.tab();
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toEqual([{ sv: { title: 'Ånga' } }]));
  await pointer.click(screen.getByRole('radio', { name: /Suomi/ }));
  expect(await field('Otsikko')).toHaveValue('Höyry');
});

test('over what staff have approved nothing is saved before its writer has agreed', async () => {
  const state = serveEditing(aCampaignAdmin({ stage: 1, review: aReview({ state: 'approved' }) }));
  const parts = [aReviewedPart({ kind: 'back_to_queue' })];
  server.use(
    http.get(content('/campaigns/3/review/changes/'), () =>
      HttpResponse.json(someReviewChanges({ stage: 1, state: 'approved', parts })),
    ),
  );
  const { pointer } = await open();
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  expect(
    await screen.findByText(/Otsikko oli hyväksytty. Muutos vie kampanjan takaisin jonoon./),
  ).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Pidä hyväksytty' }));
  expect(await field('Otsikko')).toHaveValue('Höyry');
  expect(screen.queryByText(/oli hyväksytty/)).not.toBeInTheDocument();
  expect(state.sent).toEqual([]);
  await pointer.type(await field('Otsikko'), '!');
  await pointer.click(await screen.findByRole('button', { name: 'Vaihda otsikko' }));
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toEqual([{ fi: { title: 'Höyry!' } }]));
  await pointer.type(await field('Iskulause'), '!');
  await pointer.tab();
  await waitFor(() => expect(state.sent).toHaveLength(2)); // what staff are only shown is saved without asking
});

test('what was approved can be put back while the campaign waits for a second look', async () => {
  const state = serveEditing(
    aCampaignAdmin({
      stage: 1,
      target_goal: 38_000,
      review: aReview({ state: 'requested', answer_by: '2026-11-25' }),
      settings: { contact_email: '', first_day_of_funding: '2026-12-01' },
    }),
  );
  const waiting = aReviewedPart({
    part: 'goal',
    kind: 'back_to_queue',
    changed: true,
    before: { min: 1_200_000, target: 2_400_000, currency: 'EUR' },
    now: { min: 1_200_000, target: 3_800_000, currency: 'EUR' },
  });
  server.use(
    http.get(content('/campaigns/3/review/changes/'), () =>
      HttpResponse.json(someReviewChanges({ stage: 1, parts: [waiting] })),
    ),
  );
  const { pointer } = await open();
  expect(await screen.findByText(/Hyväksyttyä on muutettu: Tavoite\./)).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Palauta hyväksytty' }));
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toContainEqual({ target_goal: 24_000 }));
});

test('after the opening what backers rely on is text with the reason, and the checklist of the review is gone', async () => {
  serveEditing(
    aCampaignAdmin({
      stage: 2,
      review: aReview({ state: 'approved' }),
      settings: { contact_email: 'a@b.fi', legal_creator: 'Kylä ry', last_day_of_funding: '2026-12-31' },
      meta: { hideFundingAmount: false, hideMemberCount: false, legal_creator_type: 'association' },
    }),
  );
  await open();
  await field('Otsikko');
  for (const name of ['Tavoite', 'Vähimmäistavoite', 'Päättyy', 'Vastuullinen tekijä'])
    expect(screen.queryByRole('textbox', { name: new RegExp(`^${name}`) })).not.toBeInTheDocument();
  expect(screen.queryByRole('radio', { name: 'Kerätty raha jää kampanjalle' })).not.toBeInTheDocument();
  expect(screen.getByText('24 000 €')).toBeVisible();
  expect(screen.getByText('Kylä ry')).toBeVisible();
  expect(screen.getAllByText(/Nämä eivät muutu enää/)).toHaveLength(2);
  expect(screen.queryByRole('heading', { name: 'Ennen tarkistusta' })).not.toBeInTheDocument();
});

test('the last change can be undone', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
  await pointer.click(screen.getByRole('button', { name: 'Kumoa viimeinen muutos' }));
  expect(await field('Otsikko')).toHaveValue('Höyry');
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry'));
});

test('when saving fails the page says that the text is kept on the device, and a retry saves it', async () => {
  const state = serveEditing();
  state.refuse = 503;
  const { pointer } = await open();
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  expect(await screen.findByText(/Teksti on tallessa tällä laitteella, ja yritämme/)).toBeVisible();
  expect(await field('Otsikko')).toHaveValue('Höyry!');
  state.refuse = 0;
  await pointer.click(screen.getByRole('button', { name: 'Tallenna nyt' }));
  expect(await screen.findByText(/^Tallennettu/)).toBeVisible();
  expect(state.admin.texts.fi?.title).toBe('Höyry!');
});

test('a rejected value is reported at its field and does not block other saves', async () => {
  const state = serveEditing();
  server.use(
    http.patch(content('/campaigns/3/settings/'), () =>
      refusal('validation_failed', 422, {
        fields: [{ path: 'contact_email', rule: 'email', message: 'x' }],
      }),
    ),
  );
  const { pointer } = await open();
  await pointer.type(await field('Sähköposti yhteydenottoihin'), 'x');
  await pointer.tab();
  await waitFor(async () => expect(await field('Sähköposti yhteydenottoihin')).toBeInvalid());
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
});

test('when the session expires the text stays, and it is saved after sign-in', async () => {
  const state = serveEditing();
  const { pointer, store } = await open();
  const title = await field('Otsikko');
  state.refuse = 401;
  await pointer.type(title, '!');
  await pointer.tab();
  expect(await screen.findByText('Istuntosi päättyi. Teksti on tallessa tällä laitteella.')).toBeVisible();
  expect(await field('Otsikko')).toHaveValue('Höyry!');
  state.refuse = 0;
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
});

test('who signs out is asked to sign in, and nothing unpublished stays on the screen', async () => {
  serveEditing();
  const { pointer, store } = await open();
  await pointer.fill(await field('Otsikko'), ' salaa');
  act(() => void store.dispatch(sessionEnded('signedOut')));
  expect(await screen.findByText('Kirjaudu ensin sisään')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Otsikko' })).not.toBeInTheDocument();
  expect(JSON.stringify(window.localStorage)).not.toContain('salaa');
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: aUser() })));
  expect(await field('Otsikko')).toHaveValue('Höyry');
});

test('another person who signs in after a session has ended sees none of what was typed', async () => {
  const state = serveEditing();
  const { pointer, store } = await open();
  state.refuse = 401;
  await pointer.fill(await field('Otsikko'), ' salaa');
  await pointer.tab();
  expect(await screen.findByText('Istuntosi päättyi. Teksti on tallessa tällä laitteella.')).toBeVisible();
  state.refuse = 0;
  const another = aUser({ user_id: 79 });
  act(() => void store.dispatch(signedIn({ token: { string: 'new', timestamp: now }, user: another })));
  await waitFor(() => expect(screen.queryByDisplayValue(/salaa/)).not.toBeInTheDocument());
  expect(await field('Otsikko')).toHaveValue('Höyry');
  expect(state.admin.texts.fi?.title).toBe('Höyry');
});

test('an unsaved text survives a reload and is then saved', async () => {
  const state = serveEditing();
  state.refuse = 503;
  const { pointer, unmount } = await open();
  await pointer.fill(await field('Iskulause'), ' Ja hormi.');
  await pointer.tab();
  await screen.findByText(/yritämme uudelleen/);
  unmount();
  state.refuse = 0;
  await open();
  expect(await field('Iskulause')).toHaveValue('Puuttuu kiuas. Ja hormi.');
  await waitFor(() => expect(state.admin.texts.fi?.tagline).toBe('Puuttuu kiuas. Ja hormi.'));
});

test('when somebody else has changed another part, both changes are kept without asking', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const title = await field('Otsikko');
  state.admin = { ...state.admin, version: 9, place: 'Kuopio' };
  await pointer.type(title, '!');
  await pointer.tab();
  await waitFor(() => expect(state.sent.map(({ upon }) => upon)).toEqual(['"9"']));
  expect(screen.queryByRole('alert', { name: 'Kaksi versiota' })).not.toBeInTheDocument();
  expect(await screen.findByRole('textbox', { name: /^Paikkakunta/ })).toHaveValue('Kuopio');
});

test.each([
  ['Jätä minun', 'Höyry!'],
  ['Jätä tämä', 'Saunalautta'],
])('when somebody else has changed the same text, both are shown; %s keeps %s', async (choice, kept) => {
  const state = serveEditing();
  state.history = [byTuomo('fi.title')];
  const { pointer } = await open();
  const title = await field('Otsikko');
  state.admin = { ...state.admin, version: 9, texts: { fi: someTexts({ title: 'Saunalautta' }) } };
  await pointer.type(title, '!');
  await pointer.tab();
  const question = within(await screen.findByRole('alert', { name: 'Kaksi versiota' }));
  expect(question.getByText(/^Tuomo muutti tätä kohtaa klo 13.07/)).toBeVisible();
  expect(question.getByText('Höyry!')).toBeVisible();
  expect(question.getByText('Saunalautta')).toBeVisible();
  expect(state.sent).toEqual([]);
  await pointer.click(question.getByRole('button', { name: choice }));
  expect(await field('Otsikko')).toHaveValue(kept);
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe(kept));
  expect(await screen.findByText(/^Tallennettu/)).toBeVisible();
});

test('the checklist is the server’s, and its links focus the part that is missing', async () => {
  serveEditing();
  const { pointer } = await open();
  const list = within(await screen.findByRole('region', { name: 'Ennen tarkistusta' }));
  expect(list.getByText('1 / 4')).toBeVisible();
  const translations = list.getAllByRole('listitem').at(-1)!;
  await pointer.click(within(translations).getByRole('button', { name: 'Kirjoita' }));
  expect(screen.getByRole('radio', { name: /Svenska/ })).toBeChecked();
  expect(await field('Otsikko')).toHaveFocus();
});

test('an amount and a switch are saved as settings', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const goal = await field('Tavoite');
  await pointer.tripleClick(goal);
  await pointer.paste('30 000');
  await pointer.tab();
  await pointer.click(screen.getByRole('switch', { name: 'Piilota kerätty summa' }));
  await waitFor(() =>
    expect(state.sent.map(({ body }) => body)).toEqual([
      { target_goal: 30_000 },
      { hideFundingAmount: true },
    ]),
  );
});

test('tags are added by typing; duplicates and unknown ones are not', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const tags = await screen.findByRole('combobox', { name: 'Avainsanat' });
  await pointer.click(tags);
  // While the tags have not come nobody knows what is one.
  await screen.findByRole('option', { name: 'Talkoot' });
  await pointer.type(tags, 'sauna{Enter}');
  await pointer.type(tags, 'talkoot{Enter}');
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toEqual([{ tags: [1, 2] }]));
  await pointer.type(tags, 'avaruus{Enter}');
  expect(screen.getByText(/Sanaa ”avaruus” ei ole/)).toBeVisible();
});

test('categories and tags that cannot be read say so, and no tag is called unknown meanwhile', async () => {
  serveEditing();
  const gates = [failing('/campaigns/categories/'), failing('/campaigns/tags/')];
  const { pointer } = await open();
  const [first, second] = await screen.findAllByRole('button', { name: 'Yritä uudelleen' });
  const tags = screen.getByRole('combobox', { name: 'Avainsanat' });
  await pointer.type(tags, 'sauna{Enter}');
  expect(screen.queryByText(/Sanaa ”sauna” ei ole/)).not.toBeInTheDocument();
  for (const gate of gates) gate.open();
  await pointer.click(first!);
  await pointer.click(second!);
  expect(await screen.findByRole('button', { name: 'Yhteisö' })).toBeVisible();
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Yritä uudelleen' })).not.toBeInTheDocument(),
  );
});

test('the cover’s alt text is saved on its own, and the next save has the version that this created', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.fill(await field('Mitä kansikuvassa on'), 'Lautta');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.project_pic_alt).toBe('Lautta'));
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
  expect(state.sent.map(({ upon }) => upon)).toEqual([null, '"4"']);
});

test('the video’s address has a part of its own', async () => {
  serveEditing();
  await open();
  const video = within(await screen.findByRole('group', { name: 'Video' }));
  expect(video.getByRole('textbox', { name: 'Videon osoite' })).toHaveValue('');
});

test('a reviewer’s notes are shown at their parts, and those on the whole page beside it', async () => {
  const notes = [
    aReviewNote({ part: 'title', text: 'Liian pitkä.' }),
    aReviewNote({ note_id: 5, part: 'dates', text: 'Liian pian.' }),
    aReviewNote({ note_id: 6, part: 'whole', text: 'Melkein valmis.' }),
  ];
  serveEditing(aCampaignAdmin({ review: aReview({ state: 'changes_requested', notes }) }));
  await open();
  const title = within(await screen.findByRole('group', { name: 'Otsikko' }));
  expect(title.getByText('Liian pitkä.')).toBeVisible();
  expect(title.queryByText('Liian pian.')).not.toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Raha ja aika' })).getByText('Liian pian.')).toBeVisible();
  expect(screen.getByText('Melkein valmis.')).toBeVisible();
});

test('a review is requested after everything is saved; if something is missing, that part gets the focus', async () => {
  const state = serveEditing();
  const fields = [{ path: 'goal', rule: 'not_ready', message: 'Puuttuu.' }];
  let savedBefore = 0;
  server.use(
    http.post(content('/campaigns/3/review/'), () => {
      savedBefore = state.sent.length;
      return refusal('not_ready', 409, { fields });
    }),
  );
  const { pointer } = await open();
  await pointer.type(await field('Otsikko'), '!');
  await pointer.click(screen.getByRole('button', { name: 'Pyydä tarkistusta' }));
  await waitFor(async () =>
    expect(await screen.findByRole('textbox', { name: /^Vähimmäistavoite/ })).toHaveFocus(),
  );
  expect(savedBefore).toBe(1);
});

test('an open campaign has no review section', async () => {
  serveEditing(aCampaignAdmin({ stage: 2 }));
  await open();
  await field('Otsikko');
  expect(screen.queryByRole('region', { name: 'Tarkistus' })).not.toBeInTheDocument();
});

test('the item for alt texts focuses the cover’s field, and once that is filled in the story’s picture', async () => {
  const story = {
    type: 'doc' as const,
    content: [{ type: 'image', attrs: { src: 'a.jpg' } }],
  };
  serveEditing(
    aCampaignAdmin({
      texts: { fi: someTexts({ json_description: story }) },
      review: aReview({ checklist: [{ key: 'alt_texts', done: false, needed: false }] }),
    }),
  );
  const { pointer } = await open();
  const list = within(await screen.findByRole('region', { name: 'Ennen tarkistusta' }));
  const lead = list.getByRole('button', { name: 'Kirjoita' });
  await pointer.click(screen.getByRole('radio', { name: /Svenska/ }));
  await pointer.click(lead);
  expect(screen.getByRole('radio', { name: /Suomi/ })).toBeChecked();
  const cover = await field('Mitä kansikuvassa on');
  expect(cover).toHaveFocus();
  await pointer.fill(cover, 'Lautta');
  await pointer.click(lead);
  expect(
    within(screen.getByRole('group', { name: 'Tarina' })).getByRole('button', { name: 'Kuvaus' }),
  ).toHaveFocus();
});

test('a monthly campaign has rewards beside its goals', async () => {
  serveEditing(aCampaignAdmin({ opens_as: 6 }));
  await open();
  expect(await screen.findByRole('region', { name: 'Tavoiteportaat' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Lisää vastike' })).toBeVisible();
});

test('people are invited by email address, and the creator cannot be removed', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const team = within(await screen.findByRole('region', { name: 'Tiimi' }));
  expect(team.queryByRole('button', { name: 'Poista tiimistä: Leena Hakkarainen' })).not.toBeInTheDocument();
  await pointer.fill(team.getByRole('textbox', { name: 'Kutsu sähköpostilla' }), 'aino@example.fi{Enter}');
  await waitFor(() =>
    expect(state.sent.map(({ body }) => body)).toEqual([
      { team: [{ user_id: 7 }, { user_id: 12 }, { email: 'aino@example.fi' }] },
    ]),
  );
  await pointer.click(team.getByRole('button', { name: 'Poista tiimistä: Tuomo' }));
  await pointer.click(await screen.findByRole('button', { name: 'Poista tiimistä' }));
  await waitFor(() => expect(state.sent.at(-1)?.body).toEqual({ team: [{ user_id: 7 }] }));
});

test('where the creator has deleted their account, a member becomes the creator after a question', async () => {
  const { team } = aCampaignAdmin();
  const gone = { ...team[1]!, email: '', name: 'Entinen jäsen', is_former: true };
  const state = serveEditing(aCampaignAdmin({ team: [gone, team[0]!] }));
  const { pointer } = await open();
  const panel = within(await screen.findByRole('region', { name: 'Tiimi' }));
  expect(panel.getByText('Poistanut tilinsä. Kampanjalla ei ole tekijää.')).toBeVisible();
  await pointer.click(panel.getByRole('button', { name: 'Ryhdy tekijäksi' }));
  expect(state.sent).toEqual([]);
  await pointer.click(await screen.findByRole('button', { name: 'Ryhdyn tekijäksi' }));
  await waitFor(() => expect(state.sent.at(-1)?.body).toEqual({ team: [{ user_id: 7 }, { user_id: 12 }] }));
});

test('if loading fails, there is a retry button', async () => {
  serveEditing();
  let isDown = true;
  server.use(
    http.get(content('/campaigns/3/admin/'), () =>
      isDown ? refusal('unavailable', 503) : HttpResponse.json({ campaign: aCampaignAdmin() }),
    ),
  );
  const { pointer } = await open();
  const retry = await screen.findByRole('button', { name: 'Yritä uudelleen' });
  isDown = false;
  await pointer.click(retry);
  expect(await field('Otsikko')).toHaveValue('Höyry');
});
