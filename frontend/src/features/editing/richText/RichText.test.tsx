import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { installEditor, paste } from '../../../../test/editor';
import { renderPart } from '../../../../test/part';
import { content, refusal, server } from '../../../../test/server';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import type { Doc } from './document';
import { RichText } from './RichText';

installEditor();

const text = (words: string) => ({ type: 'text', text: words });
const paragraph = (words: string) => ({ type: 'paragraph', content: [text(words)] });

/** Renders the editor with a document; `told` collects the documents that it reports. */
async function start(doc: Doc, more: { hasSound?: boolean; previewEnd?: string } = {}) {
  const told: Doc[] = [];
  const part = (
    <AppMantineProvider>
      <RichText
        label="Tarina"
        doc={doc}
        lang="fi"
        pictures={{ campaignId: 3 }}
        placeholder="Jatka tästä"
        onChange={(next) => told.push(next)}
        {...more}
      />
    </AppMantineProvider>
  );
  const page = await renderPart(part, { user: aUser() });
  const box = await screen.findByRole('textbox', { name: 'Tarina' });
  return { ...page, box, told };
}

const tool = (name: string) => screen.getByRole('button', { name });

test('the text looks as on the page, and the toolbar shows the formats at the cursor', async () => {
  const { box, pointer, told } = await start({
    type: 'doc',
    content: [{ type: 'heading', attrs: { level: 2 }, content: [text('Miksi')] }, paragraph('Kiuas.')],
  });
  expect(within(box).getByRole('heading', { level: 2, name: 'Miksi' })).toBeVisible();
  expect(tool('Otsikko H2')).toHaveAttribute('aria-pressed', 'true');
  expect(tool('Väliotsikko H3')).toHaveAttribute('aria-pressed', 'false');
  await pointer.click(tool('Väliotsikko H3'));
  expect(within(box).getByRole('heading', { level: 3, name: 'Miksi' })).toBeVisible();
  expect(told.at(-1)?.content[0]).toEqual({ type: 'heading', attrs: { level: 3 }, content: [text('Miksi')] });
  await pointer.click(tool('Kumoa'));
  expect(within(box).getByRole('heading', { level: 2, name: 'Miksi' })).toBeVisible();
});

test('the toolbar is one tab stop, and arrow keys move the focus in it', async () => {
  const { pointer, box } = await start({ type: 'doc', content: [paragraph('a')] });
  act(() => box.focus());
  await pointer.keyboard('{Alt>}{F10}{/Alt}');
  expect(tool('Lihavointi')).toHaveFocus();
  await pointer.keyboard('{ArrowRight}');
  expect(tool('Kursiivi')).toHaveFocus();
  await pointer.keyboard('{Home}{ArrowLeft}');
  expect(tool('Tee uudelleen')).toHaveFocus();
  const tools = within(screen.getByRole('toolbar', { name: 'Muotoilu: Tarina' })).getAllByRole('button');
  expect(tools.filter(({ tabIndex }) => tabIndex === 0)).toEqual([tool('Tee uudelleen')]);
  await pointer.keyboard('{Escape}');
  await waitFor(() => expect(box).toHaveFocus());
});

test('pasted text keeps its structure and loses everything that the editor does not support', async () => {
  const { box, told } = await start({ type: 'doc', content: [] });
  act(() => {
    box.focus();
    paste(box, {
      'text/html':
        '<h1 style="color:red">Otsikko</h1><p>a <b>b</b> <a href="javascript:alert(1)">c</a></p><script>x()</script><img src="https://spy.example/p.gif">',
    });
  });
  await waitFor(() => expect(told.at(-1)?.content).toHaveLength(2));
  expect(told.at(-1)?.content).toEqual([
    { type: 'heading', attrs: { level: 2 }, content: [text('Otsikko')] },
    {
      type: 'paragraph',
      content: [text('a '), { ...text('b'), marks: [{ type: 'bold' }] }, text(' c')],
    },
  ]);
});

test('what is left out of a paste is said', async () => {
  const { box } = await start({ type: 'doc', content: [] });
  act(() => {
    box.focus();
    paste(box, {
      'text/html':
        '<p>a</p><img src="https://x.fi/a.jpg"><img src="https://x.fi/b.jpg"><iframe src="https://x.fi"></iframe>',
    });
  });
  expect(await screen.findByText('2 kuvaa jäi pois')).toBeVisible();
  expect(screen.getByText(/1 upotus jäi pois/)).toBeVisible();
});

const linked = (words: string, href: string) => ({
  ...text(words),
  marks: [{ type: 'link', attrs: { href } }],
});

test('a pasted address is a link, also within words, and over marked words it is their link', async () => {
  const { box, told, pointer } = await start({ type: 'doc', content: [] });
  act(() => {
    box.focus();
    paste(box, { 'text/plain': 'katso www.hoyry.fi/kiuas, siellä' });
  });
  await waitFor(() =>
    expect(told.at(-1)?.content[0]?.content).toEqual([
      text('katso '),
      linked('www.hoyry.fi/kiuas', 'https://www.hoyry.fi/kiuas'),
      text(', siellä'),
    ]),
  );
  await pointer.keyboard('{Control>}a{/Control}');
  act(() => paste(box, { 'text/plain': 'https://hoyry.fi/' }));
  await waitFor(() =>
    expect(told.at(-1)?.content[0]?.content).toEqual([
      linked('katso www.hoyry.fi/kiuas, siellä', 'https://hoyry.fi/'),
    ]),
  );
});

test('the address of a video or sound, pasted on an empty line, is its player', async () => {
  const { box, told } = await start({ type: 'doc', content: [] }, { hasSound: true });
  act(() => {
    box.focus();
    paste(box, { 'text/plain': 'https://youtu.be/abcdefghijk?si=x' });
  });
  await waitFor(() =>
    expect(told.at(-1)?.content[0]).toEqual({
      type: 'video',
      attrs: { src: 'https://www.youtube.com/watch?v=abcdefghijk' },
    }),
  );
  act(() => paste(box, { 'text/plain': 'https://soundcloud.com/a/b' }));
  await waitFor(() => expect(told.at(-1)?.content.map(({ type }) => type)).toContain('iframe'));
  // Within a line it is a link.
  act(() => paste(box, { 'text/plain': 'Katso ' }));
  act(() => paste(box, { 'text/plain': 'https://youtu.be/abcdefghijk' }));
  await waitFor(() =>
    expect(told.at(-1)?.content.at(-1)?.content).toEqual([
      text('Katso '),
      linked('https://youtu.be/abcdefghijk', 'https://youtu.be/abcdefghijk'),
    ]),
  );
});

test.each([
  [
    '<blockquote class="tiktok-embed" cite="https://www.tiktok.com/@hoyry/video/7" data-video-id="7"><section></section></blockquote> <script async src="https://www.tiktok.com/embed.js"></script>',
    'https://www.tiktok.com/@hoyry/video/7',
  ],
  [
    '<iframe title="Kiuas" width="560" src="https://framatube.org/videos/embed/9c9de5e8" allowfullscreen></iframe>',
    'https://framatube.org/videos/embed/9c9de5e8',
  ],
  [
    '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/reel/C1/"><div>a</div></blockquote>',
    'https://www.instagram.com/reel/C1/',
  ],
])('the code for embedding of a service that has no player here is a link to it: %s', async (code, href) => {
  const { box, told } = await start({ type: 'doc', content: [] }, { hasSound: true });
  act(() => {
    box.focus();
    paste(box, { 'text/plain': code });
  });
  await waitFor(() => expect(told.at(-1)?.content[0]?.content).toEqual([linked(href, href)]));
});

test('a link needs a valid address', async () => {
  const { pointer, told } = await start({ type: 'doc', content: [] });
  await pointer.click(tool('Linkki'));
  const dialog = await screen.findByRole('dialog', { name: 'Lisää linkki' });
  await pointer.fill(within(dialog).getByLabelText('Osoite'), 'javascript:alert(1)');
  await pointer.click(within(dialog).getByRole('button', { name: 'Lisää' }));
  expect(within(dialog).getByText('Tämä ei ole verkko-osoite eikä sähköpostiosoite.')).toBeVisible();
  await pointer.clear(within(dialog).getByLabelText('Osoite'));
  await pointer.fill(within(dialog).getByLabelText('Osoite'), 'hoyry.fi');
  await pointer.fill(within(dialog).getByLabelText('Linkin teksti'), 'Höyry');
  await pointer.click(within(dialog).getByRole('button', { name: 'Lisää' }));
  expect(told.at(-1)?.content[0]?.content).toEqual([
    { ...text('Höyry'), marks: [{ type: 'link', attrs: { href: 'https://hoyry.fi/' } }] },
  ]);
});

test('a video is looked up at its platform; an error is shown at the field', async () => {
  const { pointer, told } = await start({ type: 'doc', content: [] });
  server.use(http.post(content('/videos/lookup/'), () => refusal('unavailable', 503)));
  await pointer.click(tool('Video'));
  const dialog = await screen.findByRole('dialog', { name: 'Lisää video' });
  const field = within(dialog).getByLabelText('Videon osoite');
  await pointer.type(field, 'https://youtu.be/abcdefghijk');
  await pointer.click(within(dialog).getByRole('button', { name: 'Lisää' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/Palvelu ei juuri nyt vastaa/));
  const url = 'https://www.youtube.com/watch?v=abcdefghijk';
  server.use(
    http.post(content('/videos/lookup/'), () =>
      HttpResponse.json({ video: { url, platform: 'youtube', title: 'Löylyt' } }),
    ),
  );
  await pointer.click(within(dialog).getByRole('button', { name: 'Lisää' }));
  await waitFor(() => expect(told.at(-1)?.content).toContainEqual({ type: 'video', attrs: { src: url } }));
});

test('nodes without a tool in the editor are kept', async () => {
  const rows = [{ label: 'Kiuas', amount_minor: 940_000 }];
  const figures = [{ label: 'Puu', value: '60 %', share: 60 }];
  const { pointer, told } = await start({
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [text('Miksi')] },
      { type: 'budget', attrs: { rows } },
      { type: 'figures', attrs: { figures } },
      { type: 'quote', attrs: { by: 'Reijo' }, content: [text('Löyly kuuluu kaikille.')] },
      { type: 'iframe', attrs: { src: 'https://open.spotify.com/embed/track/0123456789' } },
    ],
  });
  await pointer.type(screen.getByLabelText('Kohteen 1 summa'), ',50');
  expect(told.at(-1)?.content.slice(1)).toEqual([
    { type: 'budget', attrs: { rows: [{ label: 'Kiuas', amount_minor: 940_050 }] } },
    { type: 'figures', attrs: { figures } },
    { type: 'quote', attrs: { by: 'Reijo' }, content: [text('Löyly kuuluu kaikille.')] },
    { type: 'iframe', attrs: { src: 'https://open.spotify.com/embed/track/0123456789' } },
  ]);
});

test('the line that marks the end of the preview is not part of the document', async () => {
  const { box, told, pointer } = await start(
    { type: 'doc', content: [paragraph('eka'), paragraph('toka')] },
    { previewEnd: 'Tähän asti kaikille' },
  );
  expect(within(box).getByText('Tähän asti kaikille')).toBeVisible();
  await pointer.click(tool('Luettelo'));
  expect(JSON.stringify(told.at(-1))).not.toContain('kaikille');
});

test('a video without an address says so, and can get one', async () => {
  server.use(
    http.post(content('/videos/lookup/'), () =>
      HttpResponse.json({ video: { url: 'https://vimeo.com/76979871', title: 'Kiuas', platform: 'vimeo' } }),
    ),
  );
  const { pointer, told } = await start({
    type: 'doc',
    content: [paragraph('a'), { type: 'video', attrs: { src: '' } }],
  });
  expect(await screen.findByText('Videolta puuttuu osoite, joten sivu ei näytä sitä.')).toBeVisible();
  await pointer.click(tool('Lisää'));
  await pointer.fill(
    await screen.findByRole('textbox', { name: 'Videon osoite' }),
    'vimeo.com/76979871{Enter}',
  );
  await waitFor(() =>
    expect(told.at(-1)?.content[1]).toEqual({ type: 'video', attrs: { src: 'https://vimeo.com/76979871' } }),
  );
  expect(screen.queryByText(/puuttuu osoite/)).not.toBeInTheDocument();
});

test('a second video is inserted after the first, and the cursor is below both', async () => {
  server.use(
    http.post(content('/videos/lookup/'), async ({ request }) => {
      const { url } = (await request.json()) as { url: string };
      return HttpResponse.json({ video: { url, title: 'Kiuas', platform: 'vimeo' } });
    }),
  );
  const { pointer, told, box } = await start({ type: 'doc', content: [paragraph('a')] });
  await pointer.click(box);
  for (const address of ['https://vimeo.com/1', 'https://vimeo.com/2']) {
    await pointer.click(tool('Video'));
    await pointer.type(await screen.findByRole('textbox', { name: 'Videon osoite' }), `${address}{Enter}`);
    await waitFor(() => expect(JSON.stringify(told.at(-1))).toContain(address));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  }
  act(() => paste(box, { 'text/plain': 'loppu, ' }));
  expect(told.at(-1)?.content).toEqual([
    { type: 'video', attrs: { src: 'https://vimeo.com/1' } },
    { type: 'video', attrs: { src: 'https://vimeo.com/2' } },
    paragraph('loppu, a'),
  ]);
});

test('an empty paragraph in the middle of a text shows no placeholder', async () => {
  const { box } = await start({
    type: 'doc',
    content: [paragraph('a'), { type: 'paragraph' }, paragraph('b'), { type: 'paragraph' }],
  });
  const shown = [...box.querySelectorAll('[data-placeholder]')].map((one) =>
    one.getAttribute('data-placeholder'),
  );
  expect(shown.filter(Boolean)).toEqual([]);
});

test('an empty text shows the placeholder', async () => {
  const { box } = await start({ type: 'doc', content: [] });
  expect(box.querySelector('p')).toHaveAttribute('data-placeholder', 'Jatka tästä');
});
