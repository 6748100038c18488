import { useCallback, useEffect, useRef, useState } from 'react';
import { retryLater } from '../../ui/loadWithRetry';
import type { Autosaver, SaveStatus } from './autosaver';

/** A part that two people have written: which of the two stays is asked. */
export interface Question<Parts, Theirs> {
  part: keyof Parts & string;
  theirs: Theirs;
  /** Empty when it is not known. */
  who: string;
  /** RFC 3339. */
  at: string;
}

export interface ConflictOptions<Parts extends object, Theirs> {
  saver: Autosaver<Parts>;
  status: SaveStatus;
  /** Reads what the server has now; undefined when that fails. */
  read: () => Promise<Theirs | undefined>;
  partsOf: (theirs: Theirs) => Parts;
  whoChanged: (part: keyof Parts & string, theirs: Theirs) => Promise<{ who: string; at: string }>;
  /** What others have saved was read: the page takes it. */
  onRead: (theirs: Theirs) => void;
  /** Of a part theirs stays: the page shows it. */
  onDropped: (part: keyof Parts & string, theirs: Theirs) => void;
}

/**
 * What follows when somebody else has saved meanwhile: theirs is read, and each part that both have written is asked
 * about, one after the other. When nothing is left to ask, what was typed here is sent upon theirs.
 */
export function useConflict<Parts extends object, Theirs extends { version: number }>(
  options: ConflictOptions<Parts, Theirs>,
) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [question, setQuestion] = useState<Question<Parts, Theirs>>();

  const settle = useCallback(async (theirs: Theirs) => {
    const { saver, partsOf, whoChanged, onRead } = latest.current;
    onRead(theirs);
    const part = saver.settle(theirs.version, partsOf(theirs));
    setQuestion(part && { part, theirs, ...(await whoChanged(part, theirs)) });
  }, []);

  const isConflict = options.status.is === 'conflict';
  useEffect(() => {
    if (!isConflict) return undefined;
    let isGone = false;
    let cancel: () => void = () => undefined;
    const look = async (failures: number) => {
      const theirs = await latest.current.read();
      if (isGone) return;
      if (theirs) await settle(theirs);
      else cancel = retryLater(failures, () => void look(failures + 1)).cancel;
    };
    void look(1);
    return () => {
      isGone = true;
      cancel();
    };
  }, [isConflict, settle]);

  const choose = (act: (asked: Question<Parts, Theirs>) => void) => () => {
    if (!question) return;
    setQuestion(undefined);
    act(question);
    void settle(question.theirs);
  };
  return {
    question: isConflict ? question : undefined,
    keepMine: choose(({ part, theirs }) => options.saver.keep(part, options.partsOf(theirs))),
    keepTheirs: choose(({ part, theirs }) => {
      options.saver.drop(part);
      options.onDropped(part, theirs);
    }),
  };
}
