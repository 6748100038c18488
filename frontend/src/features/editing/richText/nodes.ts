import { Mark, mergeAttributes, Node } from '@tiptap/core';
import { ReactNodeViewRenderer, type ReactNodeViewProps } from '@tiptap/react';
import type { ComponentType } from 'react';
import { linkAddress } from './document';
import { BudgetView } from './views/BudgetView';
import { FiguresView } from './views/FiguresView';
import { PictureView } from './views/PictureView';
import { PlayerView } from './views/PlayerView';

// The nodes of services/content/internal/richtext that no starter piece has. Attributes have the server's names.

const attributes = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { default: null, rendered: false }]));

interface Piece {
  name: string;
  attrs: readonly string[];
  view: ComponentType<ReactNodeViewProps>;
}

/** A block that is one thing: it is chosen, moved and deleted as a whole. On the clipboard it carries its attributes. */
function piece({ name, attrs, view }: Piece) {
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

export const Figure = piece({
  name: 'figure',
  attrs: ['src', 'alt', 'width', 'height', 'caption'],
  view: PictureView,
});
export const Image = piece({ name: 'image', attrs: ['src', 'alt', 'width', 'height'], view: PictureView });
export const Video = piece({ name: 'video', attrs: ['src'], view: PlayerView });
export const IFrame = piece({ name: 'iframe', attrs: ['src'], view: PlayerView });
export const Budget = piece({ name: 'budget', attrs: ['rows'], view: BudgetView });
export const Figures = piece({ name: 'figures', attrs: ['figures'], view: FiguresView });

/** A quotation; who said it stands below and is kept. */
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

/** A link. Does not open while it is written. */
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
});
