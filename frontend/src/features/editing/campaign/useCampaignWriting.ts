import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  type CampaignAdmin,
} from '../../../api/editing';
import { useAutosave } from '../useAutosave';
import { conflictsOf, isSame, partsOf, type CampaignParts, type PartName } from './parts';
import { useSendPart } from './useSendPart';

/** A part that somebody else has changed while it was being written here. */
export interface OtherVersion {
  part: PartName;
  theirs: CampaignAdmin;
  /** Empty when it is not known. */
  who: string;
  /** RFC 3339. */
  at: string;
}

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
  const sendPart = useSendPart(campaignId);
  /** What the server is known to have; conflicts are judged by it. */
  const known = useRef<Partial<CampaignParts>>(partsOf(first));

  const send = useCallback(
    async <Name extends PartName>(name: Name, value: CampaignParts[Name], version: number) => {
      const sent = await sendPart(name, value, version);
      if ('version' in sent) known.current = { ...known.current, [name]: value };
      return sent;
    },
    [sendPart],
  );
  const { saver, status } = useAutosave<CampaignParts>({
    name: `campaign-${campaignId}`,
    userId,
    version: first.version,
    send,
  });
  // What is typed stays as it is typed, though the server trims it.
  const [typed, setTyped] = useState<Partial<CampaignParts>>(() => saver.unsaved);
  useEffect(() => {
    // What an earlier visit left was written upon a version that is not known any more.
    if (saver.version === first.version) return;
    const left = Object.keys(saver.unsaved);
    known.current = Object.fromEntries(
      Object.entries(known.current).filter(([name]) => !left.includes(name)),
    );
  }, []);
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

  const take = useCallback(
    (next: CampaignAdmin) => {
      saver.moveTo(next.version);
      known.current = { ...partsOf(next) };
      setAdmin(next);
    },
    [saver],
  );
  /** Reads the campaign anew: the checklist, and what others have changed. Gives it, unless reading failed. */
  const refresh = useCallback(async () => {
    const { data } = await readAdmin({ campaignId });
    if (data) take(data.campaign);
    return data?.campaign;
  }, [readAdmin, campaignId, take]);
  const savedAt = status.is === 'saved' ? status.at : undefined;
  useEffect(() => {
    if (savedAt !== undefined) void refresh();
  }, [savedAt, refresh]);

  const [other, setOther] = useState<OtherVersion>();
  const isConflict = status.is === 'conflict';
  useEffect(() => {
    if (!isConflict) return undefined;
    let isGone = false;
    const compare = async () => {
      const { data } = await readAdmin({ campaignId });
      if (!data || isGone) return;
      const theirs = data.campaign;
      const [part] = conflictsOf(saver.unsaved, partsOf(theirs), known.current);
      known.current = { ...partsOf(theirs) };
      setAdmin(theirs);
      if (part === undefined) {
        saver.keepMine(theirs.version); // They have changed something else.
        return;
      }
      const { data: history } = await readHistory({ campaignId, limit: 20 });
      const change = history?.changes.find(
        ({ fields, by }) => by.user_id !== userId && fields.some(({ path }) => path === part),
      );
      setOther({
        part,
        theirs,
        who: change?.by.name ?? '',
        at: change?.at ?? theirs.texts.fi?.updated_at ?? '',
      });
    };
    void compare();
    return () => {
      isGone = true;
    };
  }, [isConflict, readAdmin, readHistory, campaignId, saver, userId]);

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
    take,
    other: isConflict ? other : undefined,
    keepMine: () => {
      if (other) saver.keepMine(other.theirs.version);
      setOther(undefined);
    },
    keepTheirs: () => {
      if (!other) return;
      const { part, theirs } = other;
      setTyped((old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== part)));
      setRounds((old) => ({ ...old, [part]: (old[part] ?? 0) + 1 }));
      setAdmin(theirs);
      setOther(undefined);
      saver.dropMine(theirs.version, part);
    },
  };
}

export type CampaignWriting = ReturnType<typeof useCampaignWriting>;
