import { Mark, markPasteRule, mergeAttributes, Node } from '@tiptap/core';
import { ReactNodeViewRenderer, type ReactNodeViewProps } from '@tiptap/react';
import type { ComponentType } from 'react';
import { addressesIn } from './addresses';
import { linkAddress } from './document';
import { BudgetView } from './views/BudgetView';
import { FiguresView } from './views/FiguresView';
import { PictureView } from './views/PictureView';
import { PlayerView } from './views/PlayerView';

// The nodes and marks of services/content/internal/writing/richtext that Tiptap has no extension for, with the same attributes.

const attributes = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { default: null, rendered: false }]));

interface AtomBlock {
  name: string;
  attrs: readonly string[];
  view: ComponentType<ReactNodeViewProps>;
}

/** An atom: a block that is selected, moved and deleted as a whole. The clipboard's HTML has its attributes as JSON. */
function atomBlock({ name, attrs, view }: AtomBlock) {
  return Node.create({
    name,
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => attributes(attrs),
    parseHTML: () => [
      {
        tag: `div[data-tk-${name}]`,
        getAttrs: (element) => parsed(element.getAttribute(`data-tk-${name}`)),
      },
    ],
    renderHTML: ({ node }) => ['div', { [`data-tk-${name}`]: JSON.stringify(node.attrs) }],
    addNodeView: () => ReactNodeViewRenderer(view),
  });
}

function parsed(text: string | null): Record<string, unknown> | false {
  try {
    return JSON.parse(text ?? '') as Record<string, unknown>;
  } catch {
    return false;
  }
}

/** A picture with a caption. */
export const Figure = atomBlock({
  name: 'figure',
  attrs: ['src', 'alt', 'width', 'height', 'caption'],
  view: PictureView,
});
/** A picture without a caption. */
export const Image = atomBlock({
  name: 'image',
  attrs: ['src', 'alt', 'width', 'height'],
  view: PictureView,
});
/** A video player; `src` is the video's address at its platform. */
export const Video = atomBlock({ name: 'video', attrs: ['src'], view: PlayerView });
/** An audio player; `src` is its address. */
export const IFrame = atomBlock({ name: 'iframe', attrs: ['src'], view: PlayerView });
/** A table of what the money is for; amounts are in cents. */
export const Budget = atomBlock({ name: 'budget', attrs: ['rows'], view: BudgetView });
/** A table of figures. */
export const Figures = atomBlock({ name: 'figures', attrs: ['figures'], view: FiguresView });

/** A quotation. The editor shows who said it (`by`), but cannot change that. */
export const Quote = Node.create({
  name: 'quote',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => attributes(['by']),
  parseHTML: () => [
    {
      tag: 'figure.quote',
      contentElement: 'blockquote',
      getAttrs: (element) => ({ by: element.querySelector('figcaption')?.textContent ?? null }),
    },
    { tag: 'blockquote' },
  ],
  renderHTML: ({ node }) => [
    'figure',
    { class: 'quote' },
    ['blockquote', 0],
    ...(node.attrs.by ? [['figcaption', { contenteditable: 'false' }, String(node.attrs.by)]] : []),
  ],
});

/** A link. Typing at its end does not extend it. */
export const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const href = linkAddress(element.getAttribute('href') ?? '');
        return href ? { href } : false;
      },
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['a', mergeAttributes(HTMLAttributes, { rel: 'noreferrer' }), 0],
  addPasteRules() {
    return [
      markPasteRule({
        find: (text) => addressesIn(text).map(({ href, ...found }) => ({ ...found, data: { href } })),
        type: this.type,
        getAttributes: ({ data }) => data ?? null,
      }),
    ];
  },
});
