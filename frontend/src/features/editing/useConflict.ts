import { useCallback, useEffect, useRef, useState } from 'react';
import { retryLater } from '../../ui/loadWithRetry';
import type { Autosaver, SaveStatus } from '../../ui/saving/autosaver';

/** A part that two people have changed. The user is asked which version to keep. */
export interface Question<Parts, Theirs> {
  part: keyof Parts & string;
  theirs: Theirs;
  /** The name of the other person; empty if unknown. */
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
  /** The server's version was read; the page takes it over. */
  onRead: (theirs: Theirs) => void;
  /** The user chose the other version of a part; the page shows it. */
  onDropped: (part: keyof Parts & string, theirs: Theirs) => void;
}

/**
 * Resolves conflicts: when somebody else has saved meanwhile, reads their version and asks about each part that both
 * have changed, one after the other. Then the remaining unsaved parts are sent, based on their version.
 */
export function useConflict<Parts extends object, Theirs extends { version: number }>(
  options: ConflictOptions<Parts, Theirs>,
) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [question, setQuestion] = useState<Question<Parts, Theirs>>();

  const resolve = useCallback(async (theirs: Theirs) => {
    const { saver, partsOf, whoChanged, onRead } = latest.current;
    onRead(theirs);
    const part = saver.rebase(theirs.version, partsOf(theirs));
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
      if (theirs) await resolve(theirs);
      else cancel = retryLater(failures, () => void look(failures + 1)).cancel;
    };
    void look(1);
    return () => {
      isGone = true;
      cancel();
    };
  }, [isConflict, resolve]);

  const choose = (act: (asked: Question<Parts, Theirs>) => void) => () => {
    if (!question) return;
    setQuestion(undefined);
    act(question);
    void resolve(question.theirs);
  };
  return {
    question: isConflict ? question : undefined,
    keepMine: choose(({ part, theirs }) => options.saver.keepMine(part, options.partsOf(theirs))),
    keepTheirs: choose(({ part, theirs }) => {
      options.saver.discard(part);
      options.onDropped(part, theirs);
    }),
  };
}
