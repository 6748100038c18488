import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts } from '../../../../test/campaignAdmin';
import { installEditor } from '../../../../test/editor';
import { anAdmin, serveAdmin } from '../../../../test/experimentAdmin';
import { aPostAdmin, servePost } from '../../../../test/posts';
import { renderAt } from '../../../../test/render';
import { content, server } from '../../../../test/server';
import type { Writer } from '../../../api/editing';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const maija = (place = ''): Writer => ({ user_id: 12, name: 'Maija Kinnunen', image: 'maija.jpg', place });
const tuomo: Writer = { user_id: 13, name: 'Tuomo Pirinen', image: 'tuomo.jpg', place: '' };

/** The server answers a read for editing with who else is there; `here` is what it was told. */
function serveWriters(path: string, answer: JsonBodyType & object) {
  const state: { writers: Writer[]; here: (string | null)[] } = { writers: [], here: [] };
  server.use(
    http.get(content(path), ({ request }) => {
      state.here.push(new URL(request.url).searchParams.get('here'));
      return HttpResponse.json({ ...answer, writers: state.writers });
    }),
  );
  return state;
}
/** The other tab is left, and one comes back to this one. */
const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
const isEditing = (name: string) => screen.findByText(`${name} muokkaa nyt`);

describe('in a campaign', () => {
  const open = async (...writers: Writer[]) => {
    const first = aCampaignAdmin({ texts: { fi: someTexts(), sv: someTexts() } });
    serveEditing(first);
    const state = serveWriters('/campaigns/3/admin/', { campaign: first });
    state.writers = writers;
    const page = await renderAt('/3/hoyry/edit/', { user: aUser() });
    await screen.findByRole('textbox', { name: 'Otsikko' });
    return { ...page, state };
  };

  test('who opens it sees at once who else has it open, before anything is typed', async () => {
    const { state } = await open(maija());
    expect(await isEditing('Maija Kinnunen')).toBeVisible();
    expect(state.here).toEqual(['']);
  });

  test('the part that somebody else writes has their name, in the language that they write', async () => {
    const { pointer } = await open(maija('fi.title'), tuomo);
    expect(await screen.findByText('Maija Kinnunen ja Tuomo Pirinen muokkaavat nyt')).toBeVisible();
    const part = within(screen.getByRole('group', { name: 'Otsikko' }));
    expect(part.getByText('Maija Kinnunen kirjoittaa tässä')).toBeVisible();
    expect(screen.getAllByText(/kirjoittaa tässä/)).toHaveLength(1);
    await pointer.click(screen.getByRole('radio', { name: /Svenska/ }));
    expect(screen.queryByText(/kirjoittaa tässä/)).not.toBeInTheDocument();
  });

  test('each look tells the others where the focus is, and shows who has come and gone', async () => {
    const { pointer, state } = await open();
    await pointer.click(screen.getByRole('textbox', { name: 'Otsikko' }));
    state.writers = [tuomo];
    comeBack();
    expect(await isEditing('Tuomo Pirinen')).toBeVisible();
    expect(state.here.at(-1)).toBe('fi.title');
    state.writers = [];
    comeBack();
    await waitFor(() => expect(screen.queryByText(/muokkaa nyt/)).not.toBeInTheDocument());
  });
});

test('in an update', async () => {
  const post = aPostAdmin();
  servePost(post);
  const state = serveWriters('/campaigns/3/posts/4/admin/', { post });
  await renderAt('/3/hoyry/posts/4/edit/', { user: aUser() });
  await screen.findByRole('textbox', { name: 'Otsikko' });
  state.writers = [maija()];
  comeBack();
  expect(await isEditing('Maija Kinnunen')).toBeVisible();
  expect(state.here).toEqual(['', '']);
});

describe('in an experiment', () => {
  const open = async () => {
    const first = anAdmin();
    serveAdmin(first);
    const answer = { experiment: first };
    const state = serveWriters('/experiments/41/admin/fi/', answer);
    const page = await renderAt('/experiments/41/tyokaluseina/edit/', { user: aUser() });
    const title = await screen.findByRole('textbox', { name: 'Nimi' });
    const meanwhile = (words: string) => {
      const fi = first.texts.fi;
      answer.experiment = {
        ...first,
        version: 9,
        texts: { ...first.texts, fi: { ...fi, title: words } as typeof fi },
      };
    };
    return { ...page, state, title, meanwhile };
  };

  test('the others are seen, and what they have saved, though nothing was saved here', async () => {
    const { state, title, meanwhile } = await open();
    state.writers = [maija('fi.title')];
    meanwhile('Kalliimpi');
    comeBack();
    expect(await isEditing('Maija Kinnunen')).toBeVisible();
    expect(screen.getByText('Maija Kinnunen kirjoittaa tässä')).toBeVisible();
    await waitFor(() => expect(title).toHaveValue('Kalliimpi'));
  });

  test('nothing is taken from under the caret', async () => {
    const { pointer, state, title, meanwhile } = await open();
    const before = (title as HTMLInputElement).value;
    await pointer.click(title);
    state.writers = [maija()];
    meanwhile('Kalliimpi');
    comeBack();
    expect(await isEditing('Maija Kinnunen')).toBeVisible();
    expect(state.here.at(-1)).toBe('fi.title');
    expect(title).toHaveValue(before);
  });
});
