import { useCallback, useState } from 'react';
import type { MergeVersions } from '../../../ui/saving/unsaved';
import type { Doc } from '../richText/document';
import type { BlockMerge } from './blockMerge';
import { mergeTexts, type Changer, type TextArrivals } from './textMerge';

type ByPart<Value> = Readonly<Record<string, Value>>;

/**
 * A page's rich texts that others change while it is open, by part. `asking`: the versions of a part in which a question
 * was open already when the page was opened.
 */
export function useMergedTexts(
  parts: readonly string[],
  asking: (part: string) => MergeVersions<Doc> | undefined,
) {
  const openedMerge = (part: string) => {
    const versions = asking(part);
    return versions && mergeTexts(versions);
  };
  const [merges, setMerges] = useState<ByPart<BlockMerge>>({});
  const [changers, setChangers] = useState<ByPart<Changer>>({});
  // How many questions are open in each text.
  const [open, setOpen] = useState<ByPart<number>>(() =>
    Object.fromEntries(parts.map((part) => [part, openedMerge(part)?.questions.length ?? 0])),
  );
  const arrive = useCallback((part: string, merge: BlockMerge, whoChanged: () => Promise<Changer>) => {
    setMerges((old) => ({ ...old, [part]: merge }));
    setOpen((old) => ({ ...old, [part]: merge.questions.length }));
    void whoChanged().then((changer) => setChangers((old) => ({ ...old, [part]: changer })));
  }, []);
  return {
    /** How many questions are open. */
    questions: Object.values(open).reduce((sum, count) => sum + count, 0),
    /** Others' changes were merged; the editor takes them over when it is rendered. */
    arrive,
    /** For the text's editor. */
    arrivalsOf: (part: string, answer: (base: Doc, isAsking: boolean) => void): TextArrivals => ({
      opened: openedMerge(part),
      arrived: merges[part],
      by: changers[part],
      onAnswer: (base, left) => {
        setOpen((old) => ({ ...old, [part]: left }));
        answer(base, left > 0);
      },
    }),
  };
}
