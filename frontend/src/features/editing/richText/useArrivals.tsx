import type { Editor } from '@tiptap/react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { BlockMerge, BlockQuestion, TakenBlock } from '../merge/blockMerge';
import { answered, docFrom, type TextArrivals } from '../merge/textMerge';
import type { Doc, DocNode } from './document';
import { blockAt, blocksInto, mergeMarks, positionsOf, type MergeMark } from './mergeMarks';
import { QuestionBox, TakenLine } from './MergeBoxes';

/** How long a merged block says who has changed it, in milliseconds. */
const shownFor = 60_000;

interface Shown {
  merge: BlockMerge;
  boxes: readonly ({ element: HTMLElement } & (
    { question: BlockQuestion; taken?: undefined } | { taken: TakenBlock; question?: undefined }
  ))[];
}

/**
 * Takes others' changes into the editor's text, without moving the caret, and returns what is shown about them: a line
 * over each block that they have changed, and a question in place of one that both have changed.
 * `onTaken`: told the document that the page has already, before the editor has it.
 */
export function useArrivals(
  editor: Editor,
  arrivals: TextArrivals | undefined,
  onTaken: (doc: Doc) => void,
): ReactNode {
  const { opened, arrived, by, onAnswer } = arrivals ?? {};
  const [shown, setShown] = useState<Shown>();
  const seen = useRef(arrived);

  const mark = (merge: BlockMerge, tr = editor.state.tr) => {
    const positions = positionsOf(tr.doc);
    const last = Math.max(0, positions.length - 1);
    const at = (place: number) => positions[Math.min(place, last)] ?? 0;
    const boxes = [
      ...merge.taken.map((taken) => ({ element: makeBox(), taken })),
      ...merge.questions.map((question) => ({ element: makeBox(), question })),
    ];
    const marks = boxes.map(({ element, ...box }): MergeMark => {
      const question = 'question' in box ? box.question : undefined;
      const place = 'taken' in box ? box.taken.at : (question?.at ?? 0);
      return {
        element,
        pos: at(place),
        isAsking: question !== undefined,
        hasBlock: question === undefined || question.mine !== undefined,
      };
    });
    editor.view.dispatch(tr.setMeta(mergeMarks, marks));
    setShown({ merge, boxes });
  };
  const latest = useRef(mark);
  useLayoutEffect(() => {
    latest.current = mark;
  });

  useLayoutEffect(() => {
    if (opened && opened.questions.length > 0) latest.current({ ...opened, taken: [] });
    // Only what the editor opens with: later merges arrive.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [editor]);
  useLayoutEffect(() => {
    if (!arrived || seen.current === arrived) return;
    seen.current = arrived;
    onTaken(docFrom(arrived.blocks));
    latest.current(arrived, blocksInto(editor, arrived.blocks));
  }, [editor, arrived, onTaken]);

  const drop = (isDropped: (element: HTMLElement) => boolean) => {
    if (editor.isDestroyed) return;
    const rest = mergeMarks.getState(editor.state) ?? [];
    editor.view.dispatch(
      editor.state.tr.setMeta(
        mergeMarks,
        rest.filter(({ element }) => !isDropped(element)),
      ),
    );
    setShown((old) => old && { ...old, boxes: old.boxes.filter(({ element }) => !isDropped(element)) });
  };
  const latestDrop = useRef(drop);
  useLayoutEffect(() => {
    latestDrop.current = drop;
  });
  const lines = shown?.boxes.flatMap(({ taken, element }) => (taken ? [element] : []));
  const hasLines = Boolean(lines?.length);
  useEffect(() => {
    if (!hasLines) return undefined;
    const timer = setTimeout(
      () => latestDrop.current((element) => Boolean(lines?.includes(element))),
      shownFor,
    );
    return () => clearTimeout(timer);
    // The time begins with the merge that has brought them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [hasLines, arrived]);

  const ownOf = (element: HTMLElement): DocNode | undefined => {
    const found = markOf(editor, element);
    return found?.hasBlock ? blockAt(editor.state.doc, found.pos) : undefined;
  };
  const choose = (element: HTMLElement, question: BlockQuestion, next: DocNode | undefined) => {
    const found = markOf(editor, element);
    if (!found || !shown) return;
    const { state } = editor;
    const own = found.hasBlock ? state.doc.nodeAt(found.pos) : null;
    if (JSON.stringify(ownOf(element)) !== JSON.stringify(next)) {
      const end = found.pos + (own?.nodeSize ?? 0);
      const nodes = next ? [state.schema.nodeFromJSON(next)] : [];
      editor.view.dispatch(
        nodes.length > 0 ? state.tr.replaceWith(found.pos, end, nodes) : state.tr.delete(found.pos, end),
      );
    }
    drop((one) => one === element);
    const merge = answered(shown.merge, question);
    setShown((old) => old && { ...old, merge });
    onAnswer?.(docFrom(merge.base), merge.questions.length);
    editor.commands.focus(Math.min(found.pos + 1, editor.state.doc.content.size));
  };

  return shown?.boxes.map(({ element, question, taken }, place) =>
    createPortal(
      question ? (
        <QuestionBox
          editor={editor}
          question={question}
          by={by}
          ownOf={() => ownOf(element)}
          onChoose={(next) => choose(element, question, next)}
        />
      ) : (
        <TakenLine taken={taken} now={shown.merge.blocks[taken.at]} by={by} />
      ),
      element,
      String(place),
    ),
  );
}

const markOf = (editor: Editor, element: HTMLElement) =>
  mergeMarks.getState(editor.state)?.find((one) => one.element === element);

function makeBox(): HTMLElement {
  const box = document.createElement('div');
  box.contentEditable = 'false';
  return box;
}
