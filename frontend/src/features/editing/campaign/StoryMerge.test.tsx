import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts, type ServedCampaign } from '../../../../test/campaignAdmin';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

const doc = (...texts: readonly string[]) => ({
  type: 'doc' as const,
  content: texts.map((text, place) => ({
    type: 'paragraph',
    ...(place === 0 ? { attrs: { intro: true } } : {}),
    content: [{ type: 'text', text }],
  })),
});
const said = (state: ServedCampaign) => {
  const { content } = state.admin.texts.fi?.json_description as unknown as ReturnType<typeof doc>;
  return content.map((block) => block.content.map(({ text }) => text).join('')).join(' | ');
};
const serve = () => {
  const state = serveEditing(
    aCampaignAdmin({
      texts: { fi: someTexts({ json_description: doc('Lautta kelluu.', 'Kiuas puuttuu.') }) },
    }),
  );
  state.history = [
    {
      id: 1,
      at: '2026-11-20T11:07:00Z',
      by: { user_id: 12, name: 'Maija', actor: 'user' as const },
      action: 'change_texts',
      entity: 'campaign' as const,
      entity_id: 3,
      fields: [{ path: 'fi.json_description', long: true }],
    },
  ];
  return state;
};
/** Somebody else saves the story. */
const meanwhile = (state: ServedCampaign, ...texts: readonly string[]) => {
  state.admin = {
    ...state.admin,
    version: state.admin.version + 5,
    texts: { fi: someTexts({ json_description: doc(...texts) }) },
  };
};
const open = () => renderAt('/3/hoyry/edit/', { user: aUser() });
const story = () => screen.findByRole('textbox', { name: 'Tarina' });
/** Writes at the end of a paragraph, as a browser does: into its element. */
const write = async (box: HTMLElement, place: number, text: string) => {
  const paragraph = [...box.querySelectorAll(':scope > p')][place];
  await act(async () => {
    const last = paragraph?.lastChild;
    if (last) last.textContent = `${last.textContent}${text}`;
    await Promise.resolve();
  });
};
const paragraphs = (box: HTMLElement) =>
  [...box.querySelectorAll(':scope > p')].map(({ textContent }) => textContent).filter(Boolean);
const leave = (box: HTMLElement) => fireEvent.blur(box);
/** The other tab is left, and one comes back to this one. */
const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));

test('two people change different paragraphs: both changes are kept, and nobody is asked', async () => {
  const state = serve();
  await open();
  const box = await story();
  await write(box, 0, ' Minä.');
  meanwhile(state, 'Lautta kelluu.', 'Kiuas puuttuu.', 'Ja hormi.');
  leave(box);
  await waitFor(() => expect(said(state)).toBe('Lautta kelluu. Minä. | Kiuas puuttuu. | Ja hormi.'));
  expect(paragraphs(box)).toEqual(['Lautta kelluu. Minä.', 'Kiuas puuttuu.', 'Ja hormi.']);
  expect(await screen.findByText(/Maija lisäsi tämän/)).toBeVisible();
  expect(screen.queryByText(/Kumpi jää/)).not.toBeInTheDocument();
});

test('who has nothing unsaved gets the others’ changes quietly, and writes on in the same text', async () => {
  const state = serve();
  await open();
  const box = await story();
  meanwhile(state, 'Lautta kelluu.', 'Kiuas tuli.');
  comeBack();
  await waitFor(() => expect(paragraphs(box)).toEqual(['Lautta kelluu.', 'Kiuas tuli.']));
  expect(await screen.findByText(/Maija muutti tätä kohtaa. Yhdistetty./)).toBeVisible();
  expect(box).toBe(await story());
  expect(state.sent).toEqual([]);
});

test.each([
  ['Sinun', 'Kiuas puuttuu. Minä.'],
  ['Maija', 'Kiuas puuttuu yhä.'],
])('one paragraph changed by both is a question in its place; %s keeps %s', async (choice, kept) => {
  const state = serve();
  const { pointer } = await open();
  const box = await story();
  await write(box, 1, ' Minä.');
  meanwhile(state, 'Lautta kelluu jo.', 'Kiuas puuttuu yhä.');
  leave(box);
  const question = within(
    await screen.findByRole('region', { name: /Te molemmat muutitte tätä kappaletta/ }),
  );
  expect(await question.findByText('Maija')).toBeVisible();
  expect(paragraphs(box)).toEqual(['Lautta kelluu jo.', 'Kiuas puuttuu. Minä.']);
  expect(question.getAllByRole('radio').every((radio) => !(radio as HTMLInputElement).checked)).toBe(true);
  await pointer.click(question.getByRole('button', { name: 'Jätä valittu' }));
  expect(question.getByRole('alert')).toHaveTextContent('Valitse ensin');
  expect(said(state)).toBe('Lautta kelluu jo. | Kiuas puuttuu yhä.');
  await pointer.click(screen.getByRole('button', { name: '1 kohta odottaa valintaa' }));
  await pointer.click(question.getByRole('radio', { name: new RegExp(`^${choice}`) }));
  await pointer.click(question.getByRole('button', { name: 'Jätä valittu' }));
  await waitFor(() => expect(said(state)).toBe(`Lautta kelluu jo. | ${kept}`));
  expect(screen.queryByText(/odottaa valintaa/)).not.toBeInTheDocument();
  expect(await screen.findByText(/^Tallennettu/)).toBeVisible();
});

test('while a question is open other parts are saved, and what is typed on belongs to the choice', async () => {
  const state = serve();
  const { pointer } = await open();
  const box = await story();
  await write(box, 1, ' Minä.');
  meanwhile(state, 'Lautta kelluu.', 'Kiuas puuttuu yhä.');
  leave(box);
  const question = within(
    await screen.findByRole('region', { name: /Te molemmat muutitte tätä kappaletta/ }),
  );
  await pointer.type(screen.getByRole('textbox', { name: 'Otsikko' }), '!');
  await pointer.tab();
  await waitFor(() => expect(state.admin.texts.fi?.title).toBe('Höyry!'));
  await write(box, 1, ' Vielä.');
  await pointer.click(question.getByRole('button', { name: 'Kirjoita itse' }));
  await waitFor(() => expect(said(state)).toBe('Lautta kelluu. | Kiuas puuttuu. Minä. Vielä.'));
});

test('a question outlives a reload: nothing of either version is lost or sent unasked', async () => {
  const state = serve();
  const { unmount } = await open();
  const box = await story();
  await write(box, 1, ' Minä.');
  meanwhile(state, 'Lautta kelluu.', 'Kiuas puuttuu yhä.');
  leave(box);
  await screen.findByRole('region', { name: /Te molemmat muutitte tätä kappaletta/ });
  unmount();
  const { pointer } = await open();
  const question = within(
    await screen.findByRole('region', { name: /Te molemmat muutitte tätä kappaletta/ }),
  );
  expect(paragraphs(await story())).toEqual(['Lautta kelluu.', 'Kiuas puuttuu. Minä.']);
  expect(said(state)).toBe('Lautta kelluu. | Kiuas puuttuu yhä.');
  await pointer.click(question.getByRole('radio', { name: /^Sinun/ }));
  await pointer.click(question.getByRole('button', { name: 'Jätä valittu' }));
  await waitFor(() => expect(said(state)).toBe('Lautta kelluu. | Kiuas puuttuu. Minä.'));
});

test('somebody removed the paragraph that I changed: it stays or goes as I say', async () => {
  const state = serve();
  const { pointer } = await open();
  const box = await story();
  await write(box, 1, ' Minä.');
  meanwhile(state, 'Lautta kelluu.');
  leave(box);
  expect(await screen.findByRole('heading', { name: /poisti kappaleen, jota muutit/ })).toBeVisible();
  expect(paragraphs(box)).toEqual(['Lautta kelluu.', 'Kiuas puuttuu. Minä.']);
  await pointer.click(screen.getByRole('button', { name: 'Pidä kappale' }));
  await waitFor(() => expect(said(state)).toBe('Lautta kelluu. | Kiuas puuttuu. Minä.'));
});
