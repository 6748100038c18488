import { useCallback, useEffect, useState } from 'react';
import {
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  type CampaignAdmin,
} from '../../../api/editing';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isSame, partsOf, type CampaignParts, type PartName } from './parts';
import { useSendPart } from './useSendPart';

interface Step {
  part: PartName;
  before: CampaignParts[PartName];
}

/** How many changes can be undone. */
const undoable = 50;

/** A campaign while it is written: what it says here, what the server has, undo, and two people's versions. */
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
  });
  // What is typed stays as it is typed, though the server trims it.
  const [typed, setTyped] = useState<Partial<CampaignParts>>(() => saver.unsaved);
  const parts: CampaignParts = { ...partsOf(admin), ...typed };

  const write = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    setTyped((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };

  const [steps, setSteps] = useState<readonly Step[]>([]);
  // Counts how often a part was replaced from outside; an editor of formatted text begins anew then.
  const [rounds, setRounds] = useState<Partial<Record<PartName, number>>>({});
  const replace = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    write(part, value);
    setRounds((old) => ({ ...old, [part]: (old[part] ?? 0) + 1 }));
    void saver.flush();
  };
  /** A field is left: it is saved, and can be undone back to what it said when it was entered. */
  const leave = <Name extends PartName>(part: Name, before: CampaignParts[Name] | undefined) => {
    if (before !== undefined && !isSame(before, parts[part]))
      setSteps((old) => [...old, { part, before }].slice(-undoable));
    void saver.flush();
  };
  /** A choice is made at once, such as a switch. */
  const set = <Name extends PartName>(part: Name, value: CampaignParts[Name]) => {
    setSteps((old) => [...old, { part, before: parts[part] }].slice(-undoable));
    replace(part, value);
  };
  /** Takes the last change back and returns its part. */
  const undo = (): PartName | undefined => {
    const last = steps.at(-1);
    if (!last) return undefined;
    setSteps(steps.slice(0, -1));
    replace(last.part, last.before);
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
    (next: CampaignAdmin) => {
      if (next.version < saver.version) return;
      setAdmin(next);
      showTheirs(saver.take(next.version, partsOf(next)));
    },
    [saver, showTheirs],
  );
  /** Reads the campaign anew: the checklist, and what others have changed. Gives it, unless reading failed. */
  const refresh = useCallback(async () => {
    const { data } = await readAdmin({ campaignId });
    if (data) take(data.campaign);
    return data?.campaign;
  }, [readAdmin, campaignId, take]);
  /** Runs a call of this page that changes the campaign and is no part's; see Autosaver.alone. */
  const alone = <Result>(act: () => Promise<Result>): Promise<Result> =>
    saver.alone(async () => {
      const result = await act();
      await refresh();
      return result;
    });
  const savedAt = status.is === 'saved' ? status.at : undefined;
  useEffect(() => {
    if (savedAt !== undefined) void refresh();
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
    onRead: take,
    onDropped: (part) => showTheirs([part]),
  });

  return {
    campaignId,
    userId,
    admin,
    parts,
    rounds,
    refused: saver.refused,
    status,
    saver,
    write,
    leave,
    set,
    undo,
    canUndo: steps.length > 0,
    refresh,
    alone,
    take,
    question,
    keepMine,
    keepTheirs,
  };
}

export type CampaignWriting = ReturnType<typeof useCampaignWriting>;
