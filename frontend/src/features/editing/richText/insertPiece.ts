import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';

/**
 * Puts a picture or a player into the text and goes on writing below it. A piece that is chosen stays, the new one comes
 * after it; and the new one is not chosen, because the next key or piece would replace it.
 */
export function insertPiece(editor: Editor, piece: { type: string; attrs: object }): void {
  const { selection } = editor.state;
  const begin = editor.chain().focus();
  const put =
    selection instanceof NodeSelection
      ? begin.insertContentAt(selection.to, piece)
      : begin.insertContent(piece);
  put
    .command(({ tr }) => {
      if (!(tr.selection instanceof NodeSelection)) return true;
      const below = tr.selection.to;
      if (!tr.doc.nodeAt(below)?.isTextblock) tr.insert(below, editor.schema.node('paragraph'));
      tr.setSelection(TextSelection.create(tr.doc, below + 1));
      return true;
    })
    .run();
}
