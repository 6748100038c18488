import { Extension, type Editor } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { playerAddress } from '../../../domain/playerAddress';
import { linkAddress } from './document';
import { insertBlock } from './insertBlock';

// Addresses that are typed or pasted become links, and those of videos and sounds players.

/**
 * An address within text: with a scheme or www, of mail, or a bare one of the usual domains, such as hoyry.fi/kiuas. Others are
 * not sought, because a file's name or a full stop without a space looks the same.
 */
const address =
  /(?:https?:\/\/|www\.)[^\s<>"]{1,2000}|[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,}|(?<![\p{L}\p{N}@._/-])(?:[\p{L}\p{N}-]{1,63}\.){1,5}(?:fi|se|ax|com|org|net|eu|info)(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])(?:\/[^\s<>"]{0,2000})?/giu;

/** What ends a sentence or a quotation, and is no part of the address before it. */
const ending = /[.,;:!?'’”“»…*]$/u;
const brackets = { ')': '(', ']': '[', '}': '{' } as const;

/** An address without what follows it in its sentence. A closing bracket is part of it if the opening one is. */
function withoutEnding(found: string): string {
  const last = found.at(-1) ?? '';
  const isStray =
    last in brackets &&
    found.split(last).length > found.split(brackets[last as keyof typeof brackets]).length;
  return ending.test(found) || isStray ? withoutEnding(found.slice(0, -1)) : found;
}

/** Makes links of the addresses in the word that ends at a position, if they are none yet. */
function linkBefore(view: EditorView, position: number): void {
  const { doc, schema, tr } = view.state;
  const place = doc.resolve(position);
  const before = place.parent.textBetween(0, place.parentOffset, undefined, '\ufffc');
  const word = /\S+$/.exec(before)?.[0] ?? '';
  const link = schema.marks.link;
  if (!link) return;
  for (const { index, text, href } of addressesIn(word)) {
    const from = position - word.length + index;
    if (!doc.rangeHasMark(from, from + text.length, link))
      tr.addMark(from, from + text.length, link.create({ href }));
  }
  if (tr.docChanged) view.dispatch(tr);
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

/** The addresses within a text that become links. */
export function addressesIn(text: string): { index: number; text: string; href: string }[] {
  return [...text.matchAll(address)].flatMap(({ index, 0: found }) => {
    const words = withoutEnding(found);
    // A bare name has a letter: "klo 9.fi" has none.
    const href = /\p{L}.*\./u.test(words) ? linkAddress(words) : undefined;
    return href ? [{ index, text: words, href }] : [];
  });
}

/** The page that the code for embedding of a service without a player here is about, such as TikTok's; undefined for other texts. */
function codeAddress(text: string): string | undefined {
  if (!/^<(?:iframe|blockquote|div)\b[^]*>$/i.test(text)) return undefined;
  const { body } = new DOMParser().parseFromString(text, 'text/html');
  const code = body.querySelector('iframe[src], blockquote[cite], [data-instgrm-permalink]');
  const given = ['src', 'cite', 'data-instgrm-permalink'].map((name) => code?.getAttribute(name));
  return linkAddress(given.find(Boolean) ?? '');
}

/**
 * Pastes a text that is nothing but one address, or a code for embedding: over marked words as their link, of a video or sound on an empty line as
 * its player. Returns whether it did.
 */
function pasteAddress(editor: Editor, pasted: string, hasSound: boolean): boolean {
  const text = pasted.trim();
  const { doc, selection } = editor.state;
  const { $from, from, to } = selection;
  if (doc.textBetween(from, to)) {
    const [one] = addressesIn(text);
    return one?.text === text && editor.chain().focus().setMark('link', { href: one.href }).run();
  }
  const found = playerAddress(text);
  const href = found ? undefined : codeAddress(text);
  if (href !== undefined)
    return editor
      .chain()
      .focus()
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
      .run();
  // An empty text that is selected as a whole is an empty line, too.
  const isEmptyLine = $from.parent.content.size === 0 || (!selection.empty && !doc.textContent);
  if (!found || !isEmptyLine || (found.isSound && !hasSound)) return false;
  insertBlock(editor, { type: found.isSound ? 'iframe' : 'video', attrs: { src: found.address } });
  return true;
}
