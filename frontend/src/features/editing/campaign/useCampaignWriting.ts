import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  type CampaignAdmin,
} from '../../../api/editing';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isSame, partsOf, type CampaignParts, type PartName } from './parts';
import { useHeld } from './useHeld';
import { useSendPart } from './useSendPart';

/** An undo step. */
interface Step {
  part: PartName;
  before: CampaignParts[PartName];
}

/** How many changes can be undone. */
const undoable = 50;

/** The state of the campaign editor: the typed values, the server's campaign, autosave, undo and conflicts. */
export function useCampaignWriting(first: CampaignAdmin, userId: number) {
  const campaignId = first.campaign_id;
  const [admin, setAdmin] = useState(first);
  const [readAdmin] = useLazyCampaignAdminQuery();
  const [readHistory] = useLazyCampaignHistoryQuery();
  const send = useSendPart(campaignId);
  const { saver, status } = useAutosave<CampaignParts>({
    name: `campaign-${campaignId}`,
    userId,
    version: first.version,
    known: partsOf(first),
    isSame,
    send,
    onFixed: (part) => showFixed(part),
  });
  const { held, waiting, hold, release, reread } = useHeld(admin, userId);
  // Shown instead of the server's values, which it has trimmed.
  const [typed, setTyped] = useState<Partial<CampaignParts>>(() => saver.unsaved);
  const parts: CampaignParts = { ...partsOf(admin), ...typed, ...held };

  const write = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    if (!hold(part, value)) save(part, value);
  };
  const save = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    setTyped((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };

  const [steps, setSteps] = useState<readonly Step[]>([]);
  // Counts how often a part was replaced from outside. Part of the rich-text editor's key, which remounts it.
  const [remounts, setRemounts] = useState<Partial<Record<PartName, number>>>({});
  const replace = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    write(part, value);
    setRemounts((old) => ({ ...old, [part]: (old[part] ?? 0) + 1 }));
    void saver.flush();
  };
  /** Saves what was typed over what staff had approved, or shows that again. */
  const agree = (part: PartName, isKept: boolean) => {
    const value = held[part];
    release(part);
    if (isKept && value !== undefined) {
      save(part, value);
      void saver.flush();
    }
  };
  /** A field has lost the focus: saves it. One undo step restores the value that it had when it got the focus. */
  const leave = <Name extends PartName>(part: Name, before: CampaignParts[Name] | undefined) => {
    if (before !== undefined && !isSame(before, parts[part]))
      setSteps((old) => [...old, { part, before }].slice(-undoable));
    void saver.flush();
  };
  /** Sets a value that is saved at once, such as a switch. */
  const set = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    setSteps((old) => [...old, { part, before: parts[part] }].slice(-undoable));
    replace(part, value);
  };
  /** Undoes the last change and returns its part; undefined if there is none. */
  const undo = (): PartName | undefined => {
    const last = steps.at(-1);
    if (!last) return undefined;
    setSteps(steps.slice(0, -1));
    replace(last.part, last.before);
    return last.part;
  };

  /** Shows the server's values of parts that others have changed. */
  const showTheirs = useCallback((names: readonly PartName[]) => {
    if (names.length === 0) return;
    setTyped((old) =>
      Object.fromEntries(Object.entries(old).filter(([name]) => !names.includes(name as PartName))),
    );
    setRemounts((old) => ({
      ...old,
      ...Object.fromEntries(names.map((name) => [name, (old[name] ?? 0) + 1])),
    }));
  }, []);
  const acceptVersion = useCallback(
    (next: CampaignAdmin) => {
      if (next.version < saver.version) return;
      setAdmin(next);
      showTheirs(saver.acceptVersion(next.version, partsOf(next)));
    },
    [saver, showTheirs],
  );
  /** Reads the campaign again, for its checklist and others' changes. Resolves to it; undefined if that failed. */
  const refresh = useCallback(async () => {
    const { data } = await readAdmin({ campaignId });
    if (data) acceptVersion(data.campaign);
    return data?.campaign;
  }, [readAdmin, campaignId, acceptVersion]);
  /** Runs a request that changes the campaign and is not an autosave, then reads it; see Autosaver.runExclusive. */
  const runExclusive = <Result>(act: () => Promise<Result>): Promise<Result> =>
    saver.runExclusive(async () => {
      const result = await act();
      await refresh();
      return result;
    });
  /** The server takes no other value of a part any more: shows its own, and in which stage the campaign is. */
  const showFixed = (part: PartName) => {
    showTheirs([part]);
    void refresh();
  };
  const savedAt = status.is === 'saved' ? status.at : undefined;
  const latestReread = useRef(reread);
  useEffect(() => {
    latestReread.current = reread;
  });
  useEffect(() => {
    if (savedAt === undefined) return;
    void refresh();
    latestReread.current();
  }, [savedAt, refresh]);

  const { question, keepMine, keepTheirs } = useConflict({
    saver,
    status,
    read: async () => (await readAdmin({ campaignId })).data?.campaign,
    partsOf,
    whoChanged: async (part, theirs) => {
      const { data } = await readHistory({ campaignId, limit: 20 });
      const change = data?.changes.find(
        ({ fields, by }) => by.user_id !== userId && fields.some(({ path }) => path === part),
      );
      return { who: change?.by.name ?? '', at: change?.at ?? theirs.texts.fi?.updated_at ?? '' };
    },
    onRead: acceptVersion,
    onDropped: (part) => showTheirs([part]),
  });

  return {
    campaignId,
    userId,
    admin,
    parts,
    remounts,
    refused: saver.refused,
    status,
    saver,
    held,
    waiting,
    agree,
    write,
    leave,
    set,
    undo,
    canUndo: steps.length > 0,
    refresh,
    runExclusive,
    acceptVersion,
    question,
    keepMine,
    keepTheirs,
  };
}

/** What useCampaignWriting returns. */
export type CampaignWriting = ReturnType<typeof useCampaignWriting>;
