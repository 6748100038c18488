import type { DocNode } from '../richText/document';
import { mergeWords } from './mergeWords';
import { align } from './wordDiff';

/** The documents of a merge, as lists of blocks; see blocksOf. */
export interface Versions {
  /** What both versions were written over. */
  base: readonly DocNode[];
  mine: readonly DocNode[];
  theirs: readonly DocNode[];
  /** What was sent from here without an answer: what `theirs` has of it was written here. */
  sent?: readonly (readonly DocNode[])[];
}

/** A block that both have changed in different ways. Undefined where one of them has removed it. */
export interface BlockQuestion {
  base: DocNode;
  mine?: DocNode;
  theirs?: DocNode;
  /** Both changes in one block; undefined if they touch the same words. */
  both?: DocNode;
  /** Where `mine` is in the merged blocks, or would be. */
  at: number;
}

/** A block that the others have changed or added, and that was taken over. */
export interface TakenBlock {
  at: number;
  /** Undefined if they have added it. */
  before?: DocNode;
}

/** The outcome of a merge. */
export interface BlockMerge {
  /** All changes of both, with `mine` where there is a question. */
  blocks: readonly DocNode[];
  /** What the next merge is based on: theirs, but where there is a question what both had before. */
  base: readonly DocNode[];
  questions: readonly BlockQuestion[];
  taken: readonly TakenBlock[];
}

/** A block that a version has in place of one of the base, or has added. */
interface Placed {
  node: DocNode;
  /** The place in the base of the block that was moved here; undefined for a new one. */
  from?: number;
}

/** What one version has made of the base. */
interface Edits {
  /** For each block of the base what it has become; undefined if it was removed. */
  became: (DocNode | undefined)[];
  /** What was put before each block of the base, and at its end. */
  before: Placed[][];
  /** The blocks of the base that stand elsewhere now, unchanged. */
  moved: Set<number>;
}

const keyOf = (node: DocNode | undefined) => (node ? JSON.stringify(node) : '');

/**
 * Merges two versions of a text block by block. What one side alone has changed, added, moved or removed is taken;
 * a block that both have changed differently is a question. What both have added in one place is kept, mine first.
 */
export function mergeBlocks({ base, mine, theirs, sent = [] }: Versions): BlockMerge {
  const my = editsOf(base, mine);
  const their = editsOf(base, theirs);
  const known = sent.map((version) => editsOf(base, version));
  const blocks: DocNode[] = [];
  const questions: BlockQuestion[] = [];
  const taken: TakenBlock[] = [];

  const settle = (place: number) => {
    const before = base[place];
    if (!before) return;
    const [was, own, other] = [keyOf(before), keyOf(my.became[place]), keyOf(their.became[place])];
    const isMineToo = known.some(({ became }) => other === keyOf(became[place]));
    const mineNow = my.became[place];
    const theirsNow = their.became[place];
    const isQuestion = own !== other && own !== was && other !== was && !isMineToo;
    if (isQuestion)
      questions.push({
        base: before,
        mine: mineNow,
        theirs: theirsNow,
        both: mineNow && theirsNow && mergeWords(before, mineNow, theirsNow),
        at: blocks.length,
      });
    const isTaken = !isQuestion && own === was && other !== was && !isMineToo;
    const now = isTaken ? theirsNow : mineNow;
    if (isTaken && theirsNow) taken.push({ at: blocks.length, before });
    if (now) blocks.push(now);
  };
  for (let place = 0; place <= base.length; place += 1) {
    const own = my.before[place] ?? [];
    const sentKeys = new Set(
      known.flatMap(({ before }) => before[place] ?? []).map(({ node }) => keyOf(node)),
    );
    const ownKeys = new Set(own.map(({ node }) => keyOf(node)));
    const others = (their.before[place] ?? []).filter(
      ({ node, from }) => from !== undefined || !sentKeys.has(keyOf(node)),
    );
    for (const { node, from } of own)
      if (from === undefined) blocks.push(node);
      else settle(from);
    for (const { node, from } of others)
      if (from !== undefined) {
        if (!my.moved.has(from)) settle(from);
      } else if (!ownKeys.has(keyOf(node))) {
        taken.push({ at: blocks.length });
        blocks.push(node);
      }
    if (!my.moved.has(place) && !their.moved.has(place)) settle(place);
  }
  const asked = new Set(questions.map((one) => one.base));
  return { blocks, base: theirsBut(asked, base, their), questions, taken };
}

/** Their version, with the blocks that are asked about as they were before. */
function theirsBut(asked: ReadonlySet<DocNode>, base: readonly DocNode[], their: Edits): DocNode[] {
  const at = (place: number) => {
    const before = base[place];
    const now = before && asked.has(before) ? before : their.became[place];
    return now ? [now] : [];
  };
  return their.before.flatMap((placed, place) => [
    ...placed.flatMap(({ node, from }) => (from === undefined ? [node] : at(from))),
    ...(their.moved.has(place) ? [] : at(place)),
  ]);
}

/** Finds out what has become of each block: equal ones are matched first, then those between them by their words. */
function editsOf(base: readonly DocNode[], version: readonly DocNode[]): Edits {
  const edits: Edits = {
    became: base.map(() => undefined),
    before: Array.from({ length: base.length + 1 }, () => []),
    moved: new Set(),
  };
  const runs: { gone: number[]; came: DocNode[]; end: number }[] = [];
  let run = { gone: [] as number[], came: [] as DocNode[], end: 0 };
  let [at, now] = [0, 0];
  const endRun = () => {
    if (run.gone.length + run.came.length > 0) runs.push({ ...run, end: at });
    run = { gone: [], came: [], end: 0 };
  };
  for (const { is } of align(base.map(keyOf), version.map(keyOf))) {
    const node = version[now];
    if (is === 'same') {
      endRun();
      edits.became[at] = node;
    } else if (is === 'del') run.gone.push(at);
    else if (node) run.came.push(node);
    if (is !== 'ins') at += 1;
    if (is !== 'del') now += 1;
  }
  endRun();

  const goneByKey = new Map(runs.flatMap(({ gone }) => gone.map((place) => [keyOf(base[place]), place])));
  const movedFrom = new Map<DocNode, number>();
  for (const node of runs.flatMap(({ came }) => came)) {
    const from = hasWords(node) ? goneByKey.get(keyOf(node)) : undefined;
    if (from === undefined || edits.moved.has(from)) continue;
    movedFrom.set(node, from);
    edits.moved.add(from);
    edits.became[from] = node;
  }
  for (const { gone, came, end } of runs) {
    const left = gone.filter((place) => !edits.moved.has(place));
    const pairs = pairUp(
      left.flatMap((place) => base[place] ?? []),
      came.map((node) => (movedFrom.has(node) ? undefined : node)),
    );
    let next = left[0] ?? end;
    came.forEach((node, place) => {
      const pair = pairs.get(place) ?? -1;
      const was = left[pair];
      if (was === undefined) {
        edits.before[next]?.push({ node, from: movedFrom.get(node) });
        return;
      }
      edits.became[was] = node;
      next = left[pair + 1] ?? end;
    });
  }
  return edits;
}

const hasWords = (node: DocNode) => node.type !== 'paragraph' || Boolean(node.content?.length);

/** Says which block has become which, by their places, in the same order on both sides. */
function pairUp(gone: readonly DocNode[], came: readonly (DocNode | undefined)[]): Map<number, number> {
  const fresh = came.flatMap((node, place) => (node ? [{ node, place }] : []));
  const pairs = new Map<number, number>();
  if (fresh.length === gone.length) {
    fresh.forEach(({ place }, one) => pairs.set(place, one));
    return pairs;
  }
  let first = 0;
  gone.forEach((node, place) => {
    // As many have to be left over as there are blocks that may still find theirs.
    const candidates = fresh.slice(first).map((one, offset) => ({
      place: one.place,
      after: first + offset + 1,
      alike: likeness(node, one.node),
    }));
    const best = candidates.reduce<(typeof candidates)[number] | undefined>(
      (old, one) => (one.alike > (old?.alike ?? leastAlike) ? one : old),
      undefined,
    );
    if (!best) return;
    pairs.set(best.place, place);
    first = best.after;
  });
  return pairs;
}

/** Blocks with a smaller share of words in common are two different blocks. */
const leastAlike = 0.3;

/** The share of words that two blocks have in common, 0 to 1. */
function likeness(one: DocNode, other: DocNode): number {
  if (one.type !== other.type) return 0;
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const all = first.length + second.length;
  if (all === 0) return 0;
  const left = new Map<string, number>();
  first.forEach((word) => left.set(word, (left.get(word) ?? 0) + 1));
  const shared = second.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
  return (2 * shared) / all;
}

/** The words of a block; of a picture or a player its description and address. */
function wordsOf(node: DocNode): string[] {
  const inside = (one: DocNode): string[] => [
    ...(one.text?.match(/\S+/g) ?? []),
    ...Object.values(one.attrs ?? {}).map(String),
    ...(one.content ?? []).flatMap(inside),
  ];
  return inside(node);
}
