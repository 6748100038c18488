import type { DocNode } from '../richText/document';
import { align } from './wordDiff';

/** A change of a list: what stands instead of its items from `from` to before `to`. */
interface Change {
  from: number;
  to: number;
  now: readonly string[];
}

/**
 * Puts two changes of one block into one block. Undefined if they touch the same words or neighbours, or change what
 * kind of block it is. A list is merged by its items.
 */
export function mergeWords(base: DocNode, mine: DocNode, theirs: DocNode): DocNode | undefined {
  const frame = ({ type, attrs }: DocNode) => JSON.stringify({ type, attrs });
  if (frame(base) !== frame(mine) || frame(base) !== frame(theirs)) return undefined;
  const pieces = piecesOf(base);
  const changes = [...changesOf(pieces, piecesOf(mine)), ...changesOf(pieces, piecesOf(theirs))].sort(
    (one, other) => one.from - other.from || one.to - other.to,
  );
  if (changes.some(({ from }, place) => place > 0 && from <= (changes[place - 1]?.to ?? -1)))
    return undefined;
  let done = 0;
  const merged = changes.flatMap(({ from, to, now }) => {
    const kept = pieces.slice(done, from);
    done = to;
    return [...kept, ...now];
  });
  const content = joined([...merged, ...pieces.slice(done)].map((piece) => JSON.parse(piece) as DocNode));
  return content.length > 0 ? { ...base, content } : undefined;
}

/** The words and spaces of a block with their formats, or the items of a list, as JSON. */
function piecesOf({ content = [] }: DocNode): string[] {
  return content
    .flatMap((node) =>
      node.text === undefined
        ? [node]
        : (node.text.match(/\s+|\S+/g) ?? []).map((text) => ({ ...node, text })),
    )
    .map((node) => JSON.stringify(node));
}

function changesOf(base: readonly string[], version: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  let change: { from: number; to: number; now: string[] } | undefined;
  for (const { is, text } of align(base, version)) {
    if (is === 'same') change = undefined;
    else {
      if (!change) changes.push((change = { from: at, to: at, now: [] }));
      if (is === 'ins') change.now.push(text);
      else change.to = at + 1;
    }
    if (is !== 'ins') at += 1;
  }
  return changes;
}

/** Joins neighbouring words of the same format into one text. */
function joined(nodes: readonly DocNode[]): DocNode[] {
  const out: DocNode[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    const isSameFormat = last && JSON.stringify(last.marks ?? []) === JSON.stringify(node.marks ?? []);
    if (last?.text !== undefined && node.text !== undefined && isSameFormat)
      out[out.length - 1] = { ...last, text: last.text + node.text };
    else out.push(node);
  }
  return out;
}
