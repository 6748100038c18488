import { Extension, type Editor } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { playerAddress } from '../../../domain/playerAddress';
import { linkAddress } from './document';
import { insertBlock } from './insertBlock';

// Addresses that are typed or pasted become links, and those of videos and sounds players.

/** An address within text, without the sign that ends the sentence. Bare domains are not sought: "klo 9.fi" is none. */
const address = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]}'’”]/i;

/** Makes a link of the address that ends at a position, if there is one and it is none yet. */
function linkBefore(view: EditorView, position: number): void {
  const { doc, schema, tr } = view.state;
  const place = doc.resolve(position);
  const before = place.parent.textBetween(0, place.parentOffset, undefined, '\ufffc');
  const word = /\S+$/.exec(before)?.[0] ?? '';
  const found = address.exec(word);
  const href = found && linkAddress(found[0]);
  const link = schema.marks.link;
  if (!href || !link) return;
  const from = position - word.length + found.index;
  const to = from + found[0].length;
  if (!doc.rangeHasMark(from, to, link)) view.dispatch(tr.addMark(from, to, link.create({ href })));
}

/** What becomes of typed and pasted addresses. A typed one is a link with the space or line break after it. */
export const Addresses = Extension.create({
  name: 'addresses',
  addOptions: () => ({ hasSound: false }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    return [
      new Plugin({
        props: {
          handleTextInput: (view, from, _, text) => {
            if (/^\s/.test(text)) linkBefore(view, from);
            return false;
          },
          handleKeyDown: (view, { key }) => {
            if (key === 'Enter') linkBefore(view, view.state.selection.from);
            return false;
          },
          handlePaste: (_, { clipboardData }) =>
            pasteAddress(editor, clipboardData?.getData('text/plain') ?? '', options.hasSound),
        },
      }),
    ];
  },
});

/** Addresses within pasted text, for the paste rule of links. */
export function addressesIn(text: string): { index: number; text: string; href: string }[] {
  return [...text.matchAll(new RegExp(address, 'gi'))].flatMap(({ index, 0: found }) => {
    const href = linkAddress(found);
    return href ? [{ index, text: found, href }] : [];
  });
}

/**
 * Pastes a text that is nothing but one address: over marked words as their link, of a video or sound on an empty line as
 * its player. Returns whether it did.
 */
function pasteAddress(editor: Editor, pasted: string, hasSound: boolean): boolean {
  const text = pasted.trim();
  const { doc, selection } = editor.state;
  const { $from, from, to } = selection;
  if (doc.textBetween(from, to)) {
    const href = /^\S+$/.test(text) && address.test(text) ? linkAddress(text) : undefined;
    return href !== undefined && editor.chain().focus().setMark('link', { href }).run();
  }
  const found = playerAddress(text);
  // An empty text that is selected as a whole is an empty line, too.
  const isEmptyLine = $from.parent.content.size === 0 || (!selection.empty && !doc.textContent);
  if (!found || !isEmptyLine || (found.isSound && !hasSound)) return false;
  insertBlock(editor, { type: found.isSound ? 'iframe' : 'video', attrs: { src: found.address } });
  return true;
}
