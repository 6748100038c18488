import { Extension, type AnyExtension } from '@tiptap/core';
import { Bold } from '@tiptap/extension-bold';
import { Document } from '@tiptap/extension-document';
import { HardBreak } from '@tiptap/extension-hard-break';
import { Heading } from '@tiptap/extension-heading';
import { Italic } from '@tiptap/extension-italic';
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { Text } from '@tiptap/extension-text';
import { Dropcursor, Gapcursor, Placeholder, TrailingNode, UndoRedo } from '@tiptap/extensions';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { Addresses } from './addresses';
import { MergeMarks } from './mergeMarks';
import { Budget, Figure, Figures, IFrame, Image, Link, Quote, Video } from './nodes';

/** The key of the plugin below. A transaction's meta value sets the line's element; null removes the line. */
export const previewEnd = new PluginKey<HTMLElement | null>('previewEnd');

/** Shows the end of the preview after the first block, as a decoration: it is not part of the document. */
const PreviewEnd = Extension.create({
  name: 'previewEnd',
  addProseMirrorPlugins: () => [
    new Plugin<HTMLElement | null>({
      key: previewEnd,
      state: {
        init: () => null,
        apply: (transaction, line) => {
          const next = transaction.getMeta(previewEnd) as HTMLElement | null | undefined;
          return next === undefined ? line : next;
        },
      },
      props: {
        decorations: (state) => {
          const line = previewEnd.getState(state);
          const after = state.doc.firstChild?.nodeSize;
          if (!line || !after) return null;
          return DecorationSet.create(state.doc, [
            Decoration.widget(after, line, { side: -1, key: 'preview-end' }),
          ]);
        },
      },
    }),
  ],
});

/** The extensions of the editor. They define its schema: pasted content that has no place in it is dropped. */
export function makeExtensions(placeholder: string, hasSound: boolean, isForLast: boolean): AnyExtension[] {
  return [
    Document,
    Paragraph,
    Text,
    Bold,
    Italic,
    Link,
    Addresses.configure({ hasSound }),
    Heading.configure({ levels: [2, 3] }),
    BulletList,
    OrderedList,
    ListItem,
    ListKeymap,
    HardBreak,
    Quote,
    Figure,
    Image,
    Video,
    IFrame,
    Budget,
    Figures,
    Dropcursor.configure({ color: 'var(--tk-spruce)', width: 2 }),
    Gapcursor,
    Placeholder.configure({
      showOnlyCurrent: false,
      placeholder: ({ editor, node, pos }) => {
        const isLast = pos + node.nodeSize === editor.state.doc.content.size;
        return node.type.name === 'paragraph' && (pos === 0 || (isForLast && isLast)) ? placeholder : '';
      },
    }),
    TrailingNode,
    UndoRedo,
    PreviewEnd,
    MergeMarks,
  ];
}
