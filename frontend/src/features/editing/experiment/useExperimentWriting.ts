import { createContext, useCallback, useContext, useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import { useLazyExperimentAdminQuery, type ExperimentAdmin } from '../../../api/experiments';
import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isSame, partsOf, type ExperimentParts, type PartName } from './parts';
import { useSendPart } from './useSendPart';

interface Answer {
  data?: { experiment: ExperimentAdmin };
  error?: unknown;
}

/** An experiment while it is written: what it says here, what the server has, and two people's versions. */
export function useExperimentWriting(first: ExperimentAdmin, userId: number) {
  const experimentId = first.experiment_id;
  const pageLanguage = useLanguage();
  const [admin, setAdmin] = useState(first);
  const [read] = useLazyExperimentAdminQuery();
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

  const write = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    setTyped((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };
  /** A choice is sent at once, such as a switch. */
  const set = <Name extends PartName>(part: Name, value: ExperimentParts[Name]) => {
    write(part, value);
    void saver.flush();
  };
  const leave = () => void saver.flush();

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
    whoChanged: () => Promise.resolve({ who: '', at: '' }),
    onRead: take,
    onDropped: (part) => showTheirs([part]),
  });
  return {
    experimentId,
    userId,
    admin,
    parts,
    rounds,
    refused: saver.refused,
    status,
    saver,
    write,
    set,
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
