import {
  brokenLinks,
  brokenPlayers,
  isSameDoc,
  linkAddress,
  picturesWithoutAlt,
  plainText,
  toDoc,
  toEditor,
  type Doc,
} from './document';

const text = (words: string) => ({ type: 'text', text: words });
const doc = (...content: Doc['content']): Doc => ({ type: 'doc', content });

test('attributes that only the editor has are not sent to the server', () => {
  const written = toDoc({
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2, textAlign: null }, content: [text('Miksi')] },
      { type: 'orderedList', attrs: { start: 1, type: null }, content: [{ type: 'listItem', content: [] }] },
      {
        type: 'paragraph',
        content: [
          { ...text('lue'), marks: [{ type: 'link', attrs: { href: 'https://a.fi/', target: '_blank' } }] },
        ],
      },
      { type: 'figure', attrs: { src: 'a.jpg', alt: '', width: 960, height: 600, caption: null } },
      { type: 'paragraph' },
    ],
  });
  expect(written).toEqual(
    doc(
      { type: 'heading', attrs: { level: 2 }, content: [text('Miksi')] },
      { type: 'orderedList', content: [{ type: 'listItem' }] },
      {
        type: 'paragraph',
        content: [{ ...text('lue'), marks: [{ type: 'link', attrs: { href: 'https://a.fi/' } }] }],
      },
      { type: 'figure', attrs: { src: 'a.jpg', width: 960, height: 600 } },
    ),
  );
});

test('only the first paragraph is the intro, which is set larger', () => {
  const intro = { type: 'paragraph', attrs: { intro: true }, content: [text('a')] };
  const moved = toDoc({ type: 'doc', content: [{ type: 'paragraph', content: [text('b')] }, intro] });
  expect(moved.content.map(({ attrs }) => attrs)).toEqual([{ intro: true }, undefined]);
});

test('text and pictures in places that the editor does not allow keep their order', () => {
  const picture = { type: 'image', attrs: { src: 'a.jpg' } };
  const given = doc(text('alku'), { type: 'paragraph', content: [text('a'), picture, text('b')] });
  expect(toEditor(given)).toEqual(
    doc(
      { type: 'paragraph', content: [text('alku')] },
      { type: 'paragraph', content: [text('a')] },
      picture,
      { type: 'paragraph', content: [text('b')] },
    ),
  );
  expect(
    toEditor(doc({ type: 'bulletList', content: [{ type: 'listItem', content: [text('a')] }] })),
  ).toEqual(
    doc({
      type: 'bulletList',
      content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [text('a')] }] }],
    }),
  );
});

test('a document that only went through the editor counts as unchanged', () => {
  const given = doc({ type: 'paragraph', attrs: { intro: true }, content: [text('a')] });
  expect(isSameDoc(given, doc(text('a'), { type: 'paragraph' }))).toBe(true);
  expect(isSameDoc(given, doc(text('b')))).toBe(false);
});

test('pictures without alt text and broken links are counted at any depth', () => {
  const bad = { ...text('x'), marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] };
  const given = doc(
    { type: 'figure', attrs: { src: 'a.jpg' } },
    { type: 'figure', attrs: { src: 'a.jpg', alt: 'Lautta' } },
    { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [bad] }] }] },
  );
  expect(picturesWithoutAlt(given)).toBe(1);
  expect(brokenLinks(given)).toBe(1);
});

test('players without an embeddable address are counted', () => {
  const player = (type: string, src?: string) => ({ type, attrs: { src } });
  const given = doc(
    player('video', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'),
    player('iframe', 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC'),
    player('video'),
    player('video', 'https://example.fi/'),
  );
  expect(brokenPlayers(given)).toBe(2);
});

test.each([
  ['https://hoyry.fi/a?b=1', 'https://hoyry.fi/a?b=1'],
  ['hoyry.fi', 'https://hoyry.fi/'],
  ['lautta@hoyry.fi', 'mailto:lautta@hoyry.fi'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['pelkkää tekstiä', undefined],
  ['https://talkoot.fi:pw@evil.example/', undefined],
  ['', undefined],
])('the typed link %j becomes %j', (typed, address) => {
  expect(linkAddress(typed)).toBe(address);
});

test('plain text has a line for each block', () => {
  const given = doc(
    { type: 'heading', attrs: { level: 2 }, content: [text('Miksi')] },
    { type: 'paragraph', content: [text('a'), { type: 'hardBreak' }, text('b')] },
  );
  expect(plainText(given)).toBe('Miksi\na\nb');
});
