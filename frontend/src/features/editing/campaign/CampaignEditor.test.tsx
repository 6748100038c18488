import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts } from '../../../../test/campaignAdmin';
import { now } from '../../../../test/clock';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { aReview, aReviewNote } from '../../../../test/review';
import { content, refusal, server } from '../../../../test/server';
import { signedIn } from '../../../api/session';

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

test('a text is saved when its field is left, upon the version that was read, and says so', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.type(await field('Otsikko'), ' 2');
  expect(screen.getByText('Tallennetaan…')).toBeVisible();
  await pointer.tab();
  expect(await screen.findByText(/^Tallennettu/)).toBeVisible();
  expect(state.sent).toEqual([{ path: 'language', body: { fi: { title: 'Höyry 2' } }, upon: '"3"' }]);
});

test('each language has its own texts, and a missing one is marked', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.click(await screen.findByRole('radio', { name: /Svenska/ }));
  expect(screen.getByRole('radio', { name: /Svenska/ }).parentElement).toHaveTextContent('puuttuu');
  expect(await field('Otsikko')).toHaveValue('');
  await pointer.type(await field('Otsikko'), 'Ånga');
  await pointer.tab();
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toEqual([{ sv: { title: 'Ånga' } }]));
  await pointer.click(screen.getByRole('radio', { name: /Suomi/ }));
  expect(await field('Otsikko')).toHaveValue('Höyry');
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

test('what is typed stays when saving fails, says where it is, and is saved later', async () => {
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

test('a text that the server refuses says so at its field and keeps no other from being saved', async () => {
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

test('a session that ends keeps the text, and after signing in it is saved', async () => {
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

test('what was typed before a reload is there again and is saved', async () => {
  const state = serveEditing();
  state.refuse = 503;
  const { pointer, unmount } = await open();
  await pointer.type(await field('Iskulause'), ' Ja hormi.');
  await pointer.tab();
  await screen.findByText(/yritämme uudelleen/);
  unmount();
  state.refuse = 0;
  await open();
  expect(await field('Iskulause')).toHaveValue('Puuttuu kiuas. Ja hormi.');
  await waitFor(() => expect(state.admin.texts.fi?.tagline).toBe('Puuttuu kiuas. Ja hormi.'));
});

test('when somebody else has changed something else, both changes stay without a question', async () => {
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

test('the checklist is the server’s, and leads to the part that is missing', async () => {
  serveEditing();
  const { pointer } = await open();
  const list = within(await screen.findByRole('region', { name: 'Ennen tarkistusta' }));
  expect(list.getByText('1 / 4')).toBeVisible();
  const translations = list.getAllByRole('listitem').at(-1)!;
  await pointer.click(within(translations).getByRole('button', { name: 'Kirjoita' }));
  expect(screen.getByRole('radio', { name: /Svenska/ })).toBeChecked();
  expect(await field('Otsikko')).toHaveFocus();
});

test('a sum and a switch are saved as settings', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const goal = await field('Tavoite');
  await pointer.clear(goal);
  await pointer.type(goal, '30 000');
  await pointer.tab();
  await pointer.click(screen.getByRole('switch', { name: 'Piilota kerätty summa' }));
  await waitFor(() =>
    expect(state.sent.map(({ body }) => body)).toEqual([
      { target_goal: 30_000 },
      { hideFundingAmount: true },
    ]),
  );
});

test('tags are added by typing; a double and an unknown one are not', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const tags = await screen.findByRole('combobox', { name: 'Avainsanat' });
  await pointer.type(tags, 'sauna{Enter}');
  await pointer.type(tags, 'talkoot{Enter}');
  await waitFor(() => expect(state.sent.map(({ body }) => body)).toEqual([{ tags: [1, 2] }]));
  await pointer.type(tags, 'avaruus{Enter}');
  expect(screen.getByText(/Sanaa ”avaruus” ei ole/)).toBeVisible();
});

test('the cover’s description saves itself, and the next text builds on the version that this made', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  await pointer.type(await field('Mitä kansikuvassa on'), 'Lautta');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.project_pic_alt).toBe('Lautta'));
  await pointer.type(await field('Otsikko'), '!');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
  expect(state.sent.map(({ upon }) => upon)).toEqual([null, '"4"']);
});

test('an address of a video is kept at its own part', async () => {
  serveEditing();
  await open();
  const video = within(await screen.findByRole('group', { name: 'Video' }));
  expect(video.getByRole('textbox', { name: 'Videon osoite' })).toHaveValue('');
});

test('a reviewer’s notes are at their parts, those on the whole page beside it', async () => {
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

test('a review is asked for once everything is saved, and what is missing is led to', async () => {
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

test('an open campaign has no review to ask for', async () => {
  serveEditing(aCampaignAdmin({ stage: 2 }));
  await open();
  await field('Otsikko');
  expect(screen.queryByRole('region', { name: 'Tarkistus' })).not.toBeInTheDocument();
});

test('a missing description leads to the cover, and once that has one to the picture of the story', async () => {
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
  await pointer.type(cover, 'Lautta');
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

test('somebody is invited by address, and the creator cannot be removed', async () => {
  const state = serveEditing();
  const { pointer } = await open();
  const team = within(await screen.findByRole('region', { name: 'Tiimi' }));
  expect(team.queryByRole('button', { name: 'Poista tiimistä: Leena Hakkarainen' })).not.toBeInTheDocument();
  await pointer.type(team.getByRole('textbox', { name: 'Kutsu sähköpostilla' }), 'aino@example.fi{Enter}');
  await waitFor(() =>
    expect(state.sent.map(({ body }) => body)).toEqual([
      { team: [{ user_id: 7 }, { user_id: 12 }, { email: 'aino@example.fi' }] },
    ]),
  );
  await pointer.click(team.getByRole('button', { name: 'Poista tiimistä: Tuomo' }));
  await pointer.click(await screen.findByRole('button', { name: 'Poista tiimistä' }));
  await waitFor(() => expect(state.sent.at(-1)?.body).toEqual({ team: [{ user_id: 7 }] }));
});

test('a failure to read says so and can be tried again', async () => {
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
