import type { Merged, MergeVersions } from '../../../ui/saving/unsaved';
import { blocksOf, toDoc, type Doc, type DocNode } from '../richText/document';
import { mergeBlocks, type BlockMerge } from './blockMerge';

/** Merges two versions of a document; see mergeBlocks. */
export function mergeTexts({ base, mine, theirs, sent }: MergeVersions<Doc>): BlockMerge {
  return mergeBlocks({
    base: blocksOf(base),
    mine: blocksOf(mine),
    theirs: blocksOf(theirs),
    sent: sent.map(blocksOf),
  });
}

/** A list of blocks as a document. */
export const docFrom = (blocks: readonly DocNode[]): Doc => toDoc({ type: 'doc', content: blocks });

/** A merge in the autosaver's form. */
export function mergedText({ blocks, base, questions }: BlockMerge): Merged<Doc> {
  return { value: docFrom(blocks), base: docFrom(base), isAsking: questions.length > 0 };
}

/** A text after the choice in one place: the others' version of it is known now. */
export function answered(
  merge: BlockMerge,
  { base: asked, theirs }: BlockMerge['questions'][number],
): BlockMerge {
  return {
    ...merge,
    base: merge.base.flatMap((block) => (block === asked ? (theirs ?? []) : [block])),
    questions: merge.questions.filter(({ base }) => base !== asked),
  };
}

/** Who has changed a text, and when. */
export interface Changer {
  /** Empty if unknown. */
  who: string;
  /** RFC 3339; empty if unknown. */
  at: string;
}

/** What a rich-text editor is told about others' changes of its text. */
export interface TextArrivals {
  /** The questions with which the editor opens. */
  opened?: BlockMerge;
  /** The latest merge while it is open. A new object is a new merge, which the editor takes over. */
  arrived?: BlockMerge;
  by?: Changer;
  /** The user has chosen in one place; what the next merge is based on, and how many questions are left. */
  onAnswer: (base: Doc, left: number) => void;
}
