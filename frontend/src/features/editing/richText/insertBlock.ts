import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection } from '@tiptap/pm/state';

/**
 * Inserts a picture or a player, and puts the cursor into the paragraph below it. If another block is selected, the new
 * one is inserted after it instead of replacing it. It is not selected itself, because the next key would replace it.
 */
export function insertBlock(editor: Editor, block: { type: string; attrs: object }): void {
  const { selection } = editor.state;
  const begin = editor.chain().focus();
  const put =
    selection instanceof NodeSelection
      ? begin.insertContentAt(selection.to, block)
      : begin.insertContent(block);
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
