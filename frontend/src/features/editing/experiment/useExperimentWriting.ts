import { createContext, useCallback, useContext, useRef, useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useLazyExperimentAdminQuery,
  useLazyExperimentHistoryQuery,
  type ExperimentAdmin,
  type Writer,
} from '../../../api/experiments';
import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { useOthersChanges } from '../merge/useOthersChanges';
import { placeInFocus } from '../presence/writers';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { partOfPath } from './historyParts';
import { isSame, partsOf, type ExperimentParts, type PartName } from './parts';
import { useSendPart } from './useSendPart';

/** An undo step. */
interface Step {
  part: PartName;
  before: ExperimentParts[PartName];
}

/** How many changes can be undone. */
const undoable = 50;

interface Answer {
  data?: { experiment: ExperimentAdmin };
  error?: unknown;
}

/** An experiment while it is written: what it says here, what the server has, and two people's versions. */
export function useExperimentWriting(
  first: ExperimentAdmin,
  userId: number,
  firstWriters: readonly Writer[] = [],
) {
  const experimentId = first.experiment_id;
  const pageLanguage = useLanguage();
  const [admin, setAdmin] = useState(first);
  const [writers, setWriters] = useState(firstWriters);
  const [read] = useLazyExperimentAdminQuery();
  const [readHistory] = useLazyExperimentHistoryQuery();
  const newer = useCallback(
    (next: ExperimentAdmin) => setAdmin((old) => (next.version < old.version ? old : next)),
    [],
  );
  const send = useSendPart(experimentId, newer);
  const { saver, status } = useAutosave<ExperimentParts>({
    name: `experiment-${experimentId}`,
    userId,
    version: first.version,
    known: partsOf(first),
    isSame,
    send,
  });
  // What is typed stays as it is typed, though the server trims it.
  const [typed, setTyped] = useState<Partial<ExperimentParts>>(() => saver.unsaved);
  const parts: ExperimentParts = { ...partsOf(admin), ...typed };
  // Counts how often a part was replaced from outside; an editor of formatted text begins anew then.
  const [rounds, setRounds] = useState<Partial<Record<PartName, number>>>({});

  const [steps, setSteps] = useState<readonly Step[]>([]);
  // What was typed since a field was last left, which is undone as one change.
  const edits = useRef(new Map<PartName, { before: ExperimentParts[PartName]; now: unknown }>());
  const put = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    setTyped((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };
  const write = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    edits.current.set(part, { before: edits.current.get(part)?.before ?? parts[part], now: value });
    put(part, value);
  };
  /** A field has lost the focus: saves what was typed. */
  const leave = () => {
    const changed = [...edits.current].filter(([, { before, now }]) => !isSame(before, now));
    edits.current.clear();
    if (changed.length > 0)
      setSteps((old) =>
        [...old, ...changed.map(([part, { before }]) => ({ part, before }))].slice(-undoable),
      );
    void saver.flush();
  };
  /** A choice is sent at once, such as a switch. */
  const set = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    write(part, value);
    leave();
  };
  /** Sets a part from outside of its field, such as an earlier value. */
  const replace = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    set(part, value);
    setRounds((old) => ({ ...old, [part]: (old[part] ?? 0) + 1 }));
  };
  /** Undoes the last change and returns its part; undefined if there is none. */
  const undo = (): PartName | undefined => {
    const last = steps.at(-1);
    if (!last) return undefined;
    setSteps(steps.slice(0, -1));
    put(last.part, last.before);
    setRounds((old) => ({ ...old, [last.part]: (old[last.part] ?? 0) + 1 }));
    void saver.flush();
    return last.part;
  };

  /** Shows what the server has now in parts that were changed elsewhere. */
  const showTheirs = useCallback((names: readonly PartName[]) => {
    if (names.length === 0) return;
    setTyped((old) =>
      Object.fromEntries(Object.entries(old).filter(([name]) => !names.includes(name as PartName))),
    );
    setRounds((old) => ({
      ...old,
      ...Object.fromEntries(names.map((name) => [name, (old[name] ?? 0) + 1])),
    }));
  }, []);
  const take = useCallback(
    (next: ExperimentAdmin) => {
      newer(next);
      showTheirs(saver.acceptVersion(next.version, partsOf(next)));
    },
    [newer, saver, showTheirs],
  );

  useOthersChanges(async () => {
    const here = placeInFocus();
    const { data } = await read({ experimentId, language: pageLanguage, here });
    if (!data) return;
    setWriters(data.writers ?? []);
    // Texts are not merged here: what others have changed is shown when nothing is being written.
    if (here === '' && placeInFocus() === '') take(data.experiment);
  });

  /**
   * Runs a call that changes the experiment at a press, such as a move to the next stage, after what was typed has been
   * saved. Gives why it failed.
   */
  const act = async (call: (ifMatch: string) => Promise<Answer>): Promise<ApiError | undefined> => {
    await saver.flush();
    const { data, error } = await saver.runExclusive(async () => {
      const answer = await call(`"${saver.version}"`);
      if (answer.data) take(answer.data.experiment);
      return answer;
    });
    if (data) return undefined;
    const failure: ApiError = isApiError(error) ? error : { status: 'invalid_response', http: 0 };
    if (failure.http === 412) {
      const now = await read({ experimentId, language: pageLanguage });
      if (now.data) take(now.data.experiment);
    }
    return failure;
  };

  const { question, keepMine, keepTheirs } = useConflict({
    saver,
    status,
    read: async () => (await read({ experimentId, language: pageLanguage })).data?.experiment,
    partsOf,
    whoChanged: async (part) => {
      const { data } = await readHistory({ experimentId, limit: 20 });
      const change = data?.changes.find(
        ({ fields, by }) => by.user_id !== userId && fields.some(({ path }) => partOfPath(path) === part),
      );
      return { who: change?.by.name ?? '', at: change?.at ?? '' };
    },
    onRead: take,
    onDropped: (part) => showTheirs([part]),
  });
  return {
    experimentId,
    userId,
    admin,
    writers,
    parts,
    rounds,
    refused: saver.refused,
    status,
    saver,
    write,
    set,
    replace,
    undo,
    canUndo: steps.length > 0,
    leave,
    act,
    question,
    keepMine,
    keepTheirs,
  };
}

export interface WritingPage extends ReturnType<typeof useExperimentWriting> {
  /** In which language texts are written now. */
  language: Language;
  setLanguage: (language: Language) => void;
  /** The person is staff: they choose the front page and may set any stage. */
  isStaff: boolean;
  isAdmin: boolean;
}

export const WritingContext = createContext<WritingPage | undefined>(undefined);

export function useWriting(): WritingPage {
  const page = useContext(WritingContext);
  if (!page) throw new Error('A part of an experiment stands outside of its page.');
  return page;
}
