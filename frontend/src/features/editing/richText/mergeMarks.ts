import { Extension, type Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type EditorState, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { align } from '../merge/wordDiff';
import { blocksOf, type Doc, type DocNode } from './document';

/** A place of the text that says something about a merge: an element before a block. */
export interface MergeMark {
  /** The position before the block. */
  pos: number;
  element: HTMLElement;
  /** The element asks instead of the block, which is hidden unless the caret is in it. */
  isAsking: boolean;
  /** The block that it is about is there. */
  hasBlock: boolean;
}

/** The key of the plugin below. A transaction's meta value replaces the marks. */
export const mergeMarks = new PluginKey<readonly MergeMark[]>('mergeMarks');

/** Keeps the marks at their blocks and draws them. They are no part of the document. */
export const MergeMarks = Extension.create({
  name: 'mergeMarks',
  addProseMirrorPlugins: () => [
    new Plugin<readonly MergeMark[]>({
      key: mergeMarks,
      state: {
        init: () => [],
        apply: (transaction, marks) =>
          (transaction.getMeta(mergeMarks) as readonly MergeMark[] | undefined) ?? moved(marks, transaction),
      },
      props: { decorations },
    }),
  ],
});

function moved(marks: readonly MergeMark[], { docChanged, mapping }: Transaction): readonly MergeMark[] {
  if (!docChanged || marks.length === 0) return marks;
  return marks.map((mark) => {
    const { pos, deletedAfter } = mapping.mapResult(mark.pos);
    return { ...mark, pos, hasBlock: mark.hasBlock && !deletedAfter };
  });
}

function decorations(state: EditorState): DecorationSet | null {
  const marks = mergeMarks.getState(state) ?? [];
  if (marks.length === 0) return null;
  const { from, to } = state.selection;
  return DecorationSet.create(
    state.doc,
    marks.flatMap(({ pos, element, isAsking, hasBlock }) => {
      const widget = Decoration.widget(pos, element, {
        side: -1,
        ignoreSelection: true,
        stopEvent: () => true,
      });
      const end = pos + (state.doc.nodeAt(pos)?.nodeSize ?? 0);
      if (!hasBlock || end === pos) return [widget];
      const isInside = from >= pos && to <= end;
      const asked = isInside ? 'data-asked-inside' : 'data-asked';
      return [widget, Decoration.node(pos, end, isAsking ? { [asked]: '' } : { 'data-taken': '' })];
    }),
  );
}

/** A block as documents have it. */
export const blockAt = (doc: Node, pos: number): DocNode | undefined => {
  const node = doc.nodeAt(pos);
  return node ? blocksOf({ type: 'doc', content: [node.toJSON() as DocNode] } satisfies Doc)[0] : undefined;
};

/** The positions before the blocks of a document, and its end. */
export function positionsOf(doc: Node): number[] {
  const positions = [0];
  doc.forEach((node, offset) => positions.push(offset + node.nodeSize));
  return positions;
}

const keyOf = (node: DocNode) => JSON.stringify(blocksOf({ type: 'doc', content: [node] })[0] ?? null);

/**
 * Changes the editor's text into other blocks, only where they differ, so that the caret stays where it is. An empty
 * paragraph at the end stays, too: somebody may be about to write in it. It is no step that the writer can undo.
 */
export function blocksInto(editor: Editor, blocks: readonly DocNode[]): Transaction {
  const { tr, schema, doc } = editor.state;
  const now: Node[] = [];
  doc.forEach((node) => now.push(node));
  while (now.at(-1)?.type.name === 'paragraph' && now.at(-1)?.childCount === 0) now.pop();
  const next = blocks.map((block) => schema.nodeFromJSON(block));
  const positions = positionsOf(doc);
  const runs: { from: number; to: number; nodes: Node[] }[] = [];
  let run: (typeof runs)[number] | undefined;
  let [at, to] = [0, 0];
  const pieces = align(
    now.map((node) => keyOf(node.toJSON() as DocNode)),
    blocks.map(keyOf),
  );
  for (const { is } of pieces) {
    if (is === 'same') run = undefined;
    else {
      if (!run) runs.push((run = { from: at, to: at, nodes: [] }));
      const node = next[to];
      if (is === 'ins' && node) run.nodes.push(node);
      else run.to = at + 1;
    }
    if (is !== 'ins') at += 1;
    if (is !== 'del') to += 1;
  }
  for (const { from, to: end, nodes } of runs.reverse()) {
    const old = now.slice(from, end);
    if (old.length !== nodes.length) {
      tr.replaceWith(positions[from] ?? 0, positions[end] ?? 0, nodes);
      continue;
    }
    for (let place = old.length - 1; place >= 0; place -= 1) {
      const [was, is] = [old[place], nodes[place]];
      const pos = positions[from + place] ?? 0;
      if (was && is) blockInto(tr, pos, was, is);
    }
  }
  return tr.setMeta('addToHistory', false);
}

/** Changes a block into another one; where its kind stays, only the part of its content that differs. */
function blockInto(tr: Transaction, pos: number, was: Node, now: Node): void {
  const start = was.sameMarkup(now) ? was.content.findDiffStart(now.content) : null;
  const end = start === null ? null : was.content.findDiffEnd(now.content);
  if (start === null || !end || !was.inlineContent) {
    tr.replaceWith(pos, pos + was.nodeSize, now);
    return;
  }
  // Equal letters at both edges of the difference are counted twice, as in aab and ab.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  tr.replace(pos + 1 + start, pos + 1 + end.a + overlap, now.slice(start, end.b + overlap));
}
