import { useCallback, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { flushSync } from 'react-dom';
import type { ApiError } from '../../api/apiError';
import type { Writer } from '../../api/editing';
import type { AutosaverOptions } from '../../ui/saving/autosaver';
import type { MergeVersions, Unsaved } from '../../ui/saving/unsaved';
import { failureOf, noAnswer } from '../../ui/saving/failures';
import type { LocalDraft } from '../../ui/saving/localDraft';
import { mergedText, mergeTexts, type Changer } from './merge/textMerge';
import { useMergedTexts } from './merge/useMergedTexts';
import { useOthersChanges } from './merge/useOthersChanges';
import { placeInFocus } from './presence/writers';
import type { Doc } from './richText/document';
import { useAutosave } from '../../ui/saving/useAutosave';
import { useConflict } from './useConflict';

/** How many changes can be undone. */
const undoable = 50;
/** How often a call is sent at most, while others keep changing other parts. */
const maxTries = 5;
const changedMeanwhile: ApiError = { status: 'changed_meanwhile', http: 412 };

/** The result of a call, as RTK Query has it. */
export interface Answer {
  data?: unknown;
  error?: unknown;
}

/** Makes a call that changes the entity, other than an autosave; see the editor's `act`. */
export type Act<Entity> = (
  call: (ifMatch: string) => Promise<Answer>,
  part?: (entity: Entity) => unknown,
) => Promise<ApiError | undefined>;

/** The documents of a part that is merged by block, and the part around a merged document. */
export interface MergeableText<Value> {
  docs: MergeVersions<Doc>;
  value: (doc: Doc) => Value;
  /** What the next merge is based on. */
  base: (doc: Doc) => Value;
}

/** What an editor has to know of what is edited in it: a campaign, an experiment, a post, a reward. */
export interface EntityOptions<Parts extends object, Entity extends { version: number }> extends Pick<
  AutosaverOptions<Parts>,
  'isSame' | 'isManual'
> {
  /** The name under which the device keeps what is unsaved, such as campaign-4. */
  name: string;
  /** Who edits. The page stays theirs when their session expires. */
  userId: number;
  /** The server's entity, as last read or answered. */
  state: readonly [Entity, Dispatch<SetStateAction<Entity>>];
  /** Who else had it open when it was first read. */
  firstWriters?: readonly Writer[];
  partsOf: (entity: Entity) => Parts;
  /** Reads the entity; undefined when that fails. `here`: the part that has the focus, for the others to see. */
  read: (here?: string) => Promise<{ entity: Entity; writers?: readonly Writer[] } | undefined>;
  /** Who has changed a part last, other than the writer, by the history. */
  whoChanged: (part: keyof Parts & string, theirs?: Entity) => Promise<Changer>;
  /** Where that is kept instead. */
  draft?: LocalDraft<Unsaved<Parts>>;
  /** Saves one part of the entity. An answer with an error besides its data has taken some of it. */
  send: <Name extends keyof Parts & string>(
    part: Name,
    value: Parts[Name],
    ifMatch: string,
    entity: Entity,
  ) => Promise<Answer>;
  /** Creates the entity, if the server has none yet. */
  create?: (idempotencyKey: string) => Promise<Answer>;
  /** The entity in the answer of a call; without it the answers have a version only. */
  entityIn?: (data: unknown) => Entity | undefined;
  /** The parts with a document that is merged by block, and their documents; undefined: chosen as a whole. */
  texts?: {
    parts: readonly (keyof Parts & string)[];
    in: <Value>(versions: MergeVersions<Value>) => MergeableText<Value> | undefined;
  };
  /** Values that are shown but not saved before their writer agrees, and what takes such a value. */
  held?: Partial<Parts>;
  hold?: <Name extends keyof Parts & string>(part: Name, value: Parts[Name]) => boolean;
}

/**
 * The state of an editor: the typed values, the server's entity, autosave, undo, conflicts and others' changes. What is
 * particular to a campaign, an experiment, a post or a reward is in the options.
 */
export function useEntityEditor<Parts extends object, Entity extends { version: number }>(
  options: EntityOptions<Parts, Entity>,
) {
  type Name = keyof Parts & string;
  const { name, userId, partsOf, isSame, read, whoChanged, entityIn, texts, held, hold } = options;
  const [entity, setEntity] = options.state;
  const latest = useRef(entity);
  const newer = useCallback(
    (next: Entity) => {
      if (next.version >= latest.current.version) latest.current = next;
      setEntity(latest.current);
    },
    [setEntity],
  );
  const [writers, setWriters] = useState(options.firstWriters ?? []);
  const textIn = <Value>(versions: MergeVersions<Value> | undefined) => versions && texts?.in(versions);

  const { saver, status } = useAutosave<Parts>({
    name,
    userId,
    version: entity.version,
    known: partsOf(entity),
    isSame,
    isManual: options.isManual,
    draft: options.draft,
    send: async (part, value, version) => {
      const { data, error } = await options.send(part, value, `"${version}"`, latest.current);
      const answered = entityIn?.(data);
      if (answered) newer(answered);
      if (data && error === undefined) return answered ?? (data as { version: number });
      const saved = answered && { version: answered.version, value: partsOf(answered)[part] };
      return { error: failureOf(error), saved };
    },
    create:
      options.create &&
      (async ({ key }) => {
        const { data, error } = (await options.create?.(key)) ?? {};
        const answered = entityIn?.(data);
        if (!answered) return { error: failureOf(error) };
        newer(answered);
        return answered;
      }),
    onFixed: (part) => {
      showTheirs([part]);
      void refresh();
    },
    ...(texts && {
      merge: (_, versions) => {
        const text = textIn(versions);
        if (!text) return undefined;
        const { value, base, isAsking } = mergedText(mergeTexts(text.docs));
        return { value: text.value(value), base: text.base(base), isAsking };
      },
    }),
    onMerged: (part, versions) => {
      const text = textIn(versions);
      if (!text) return;
      const merge = mergeTexts(text.docs);
      flushSync(() => {
        show(part, text.value(mergedText(merge).value));
        arrive(part, merge, () => whoChanged(part));
      });
    },
  });
  const { arrive, arrivalsOf, questions } = useMergedTexts(
    texts?.parts ?? [],
    (part) => textIn(saver.asking(part as Name))?.docs,
  );

  // Shown instead of the server's values, which it has trimmed.
  const [typed, setTyped] = useState<Partial<Parts>>(() => saver.unsaved);
  const parts: Parts = { ...partsOf(entity), ...typed, ...held };
  // Counts how often a part was replaced from outside. Part of the rich-text editor's key, which remounts it.
  const [remounts, setRemounts] = useState<Partial<Record<Name, number>>>({});
  const remount = (part: Name) => setRemounts((old) => ({ ...old, [part]: (old[part] ?? 0) + 1 }));
  const show = <Part extends Name>(part: Part, value: Parts[Part]) =>
    setTyped((old) => ({ ...old, [part]: value }));
  /** Shows the server's values of parts that others have changed. */
  const showTheirs = (names: readonly Name[]) => {
    if (names.length === 0) return;
    setTyped((old) => {
      const left = Object.entries(old).filter(([part]) => !names.includes(part as Name));
      return Object.fromEntries(left) as Partial<Parts>;
    });
    names.forEach(remount);
  };

  /** Discards what is unsaved of a part, and shows the server's value. */
  const drop = (part: Name) => {
    saver.discard(part);
    showTheirs([part]);
  };

  const [steps, setSteps] = useState<readonly { part: Name; before: Parts[Name] }[]>([]);
  // What was changed since a field was last left, which is undone as one change.
  const edits = useRef(new Map<Name, { before: Parts[Name]; now: Parts[Name] }>());
  /** Saves a value without asking whether it is to be held. */
  const save = <Part extends Name>(part: Part, value: Parts[Part]) => {
    show(part, value);
    saver.change(part, value);
  };
  const put = <Part extends Name>(part: Part, value: Parts[Part]) => {
    if (!hold?.(part, value)) save(part, value);
  };
  /** Takes a typed value. */
  const write = <Part extends Name>(part: Part, value: Parts[Part]) => {
    edits.current.set(part, { before: edits.current.get(part)?.before ?? parts[part], now: value });
    put(part, value);
  };
  /** A field has lost the focus: saves what was typed. One undo step restores the value from before. */
  const leave = () => {
    const changed = [...edits.current].filter(([, { before, now }]) => !isSame(before, now));
    edits.current.clear();
    if (changed.length > 0)
      setSteps((old) =>
        [...old, ...changed.map(([part, { before }]) => ({ part, before }))].slice(-undoable),
      );
    void saver.flush();
  };
  /** Sets a value from outside of its field, or one that is saved at once, such as a switch. */
  const set = <Part extends Name>(part: Part, value: Parts[Part]) => {
    write(part, value);
    remount(part);
    leave();
  };
  /** Undoes the last change and returns its part; undefined if there is none. */
  const undo = (): Name | undefined => {
    const last = steps.at(-1);
    if (!last) return undefined;
    setSteps(steps.slice(0, -1));
    put(last.part, last.before);
    remount(last.part);
    void saver.flush();
    return last.part;
  };

  /** Takes over the server's entity, as read after others' changes or answered to a call. */
  const accept = (next: Entity) => {
    if (next.version < saver.version) return;
    const [before, theirs] = [saver.known, partsOf(next)];
    const changed = saver.acceptVersion(next.version, theirs);
    const merged = changed.flatMap((part) => {
      const base = before[part];
      const text =
        base === undefined ? undefined : textIn({ base, mine: base, theirs: theirs[part], sent: [] });
      return text ? [{ part, merge: mergeTexts(text.docs) }] : [];
    });
    // At once: a key pressed in between would write over what others have changed in a text.
    flushSync(() => {
      newer(next);
      showTheirs(changed.filter((part) => merged.every((one) => one.part !== part)));
      for (const { part, merge } of merged) {
        show(part, theirs[part]);
        arrive(part, merge, () => whoChanged(part));
      }
    });
  };
  /** Reads the entity again. Resolves to it; undefined if that failed. */
  const refresh = async (isWanted: () => boolean = () => true): Promise<Entity | undefined> => {
    const found = await read(placeInFocus());
    if (!found) return undefined;
    setWriters(found.writers ?? []);
    if (isWanted()) accept(found.entity);
    return found.entity;
  };
  useOthersChanges(() => {
    const here = placeInFocus();
    // What is not merged is taken over while nothing is being written.
    void refresh(() => texts !== undefined || (here === '' && placeInFocus() === ''));
  });

  /**
   * Sends a call at a press, such as a move to the next stage, after what was typed has been saved; then the page shows
   * what is so now. If somebody else has changed the entity meanwhile it is refused, or, if `part` names what the call is
   * about and they have changed something else, sent with the new version. Resolves to why it failed.
   */
  const act: Act<Entity> = async (call, part) => {
    await saver.flush();
    return saver.runExclusive(async () => {
      const seen = JSON.stringify(part?.(entity));
      let now = latest.current.version < saver.version ? await refresh() : latest.current;
      for (let tries = 1; now; tries += 1) {
        if (JSON.stringify(part?.(now)) !== seen) return changedMeanwhile;
        const { data, error } = await call(`"${now.version}"`);
        const answered = entityIn?.(data);
        if (answered) accept(answered);
        now = answered ?? (await refresh());
        const failure = error === undefined ? undefined : failureOf(error);
        if (failure?.http !== 412 || !part || tries === maxTries) return failure;
      }
      return noAnswer;
    });
  };

  const { question, keepMine, keepTheirs } = useConflict({
    saver,
    status,
    read: async () => (await read())?.entity,
    partsOf,
    whoChanged,
    onRead: accept,
    onDropped: (part) => showTheirs([part]),
  });
  return {
    userId,
    entity,
    writers,
    parts,
    remounts,
    refused: saver.refused,
    status,
    saver,
    write,
    save,
    leave,
    set,
    drop,
    undo,
    canUndo: steps.length > 0,
    refresh: () => refresh(),
    act,
    question,
    keepMine,
    keepTheirs,
    /** How many places wait for a choice between two people's versions. */
    questions: questions + (question ? 1 : 0),
    /** For the editor of a text that is merged. */
    arrivalsOf: (part: Name) =>
      arrivalsOf(part, (doc, isAsking) => {
        const text = textIn(saver.asking(part));
        if (text) saver.answer(part, text.base(doc), isAsking);
      }),
  };
}
