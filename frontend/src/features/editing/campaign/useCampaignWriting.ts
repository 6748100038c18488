import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  type CampaignAdmin,
  type Writer,
} from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import type { Merged, MergeVersions } from '../autosaver';
import { mergedText, mergeTexts } from '../merge/textMerge';
import { useMergedTexts } from '../merge/useMergedTexts';
import { useOthersChanges } from '../merge/useOthersChanges';
import { placeInFocus } from '../presence/writers';
import type { Doc } from '../richText/document';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isDoc, isSame, partsOf, type CampaignParts, type PartName } from './parts';
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
export function useCampaignWriting(
  first: CampaignAdmin,
  userId: number,
  firstWriters: readonly Writer[] = [],
) {
  const campaignId = first.campaign_id;
  const [admin, setAdmin] = useState(first);
  const [writers, setWriters] = useState(firstWriters);
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
    merge: (_, versions) => {
      const texts = storyVersions(versions);
      return texts && (mergedText(mergeTexts(texts)) as Merged<typeof versions.base>);
    },
    onMerged: (part, versions) => {
      const texts = storyVersions(versions);
      const merge = texts && mergeTexts(texts);
      if (!merge) return;
      flushSync(() => {
        setTyped((old) => ({ ...old, [part]: mergedText(merge).value }));
        stories.arrive(part, merge, () => whoChanged(part));
      });
    },
  });
  const { held, waiting, hold, release, reread } = useHeld(admin, userId);
  // Shown instead of the server's values, which it has trimmed.
  const [typed, setTyped] = useState<Partial<CampaignParts>>(() => saver.unsaved);
  const parts: CampaignParts = { ...partsOf(admin), ...typed, ...held };
  const stories = useMergedTexts(storyParts, (part) => storyVersions(saver.asking(part as PartName)));

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

  /** Who has changed a part last, other than the writer. */
  const whoChanged = useCallback(
    async (part: PartName) => {
      const { data } = await readHistory({ campaignId, limit: 20 });
      const change = data?.changes.find(
        ({ fields, by }) => by.user_id !== userId && fields.some(({ path }) => path === part),
      );
      return { who: change?.by.name ?? '', at: change?.at ?? '' };
    },
    [readHistory, campaignId, userId],
  );
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
  const { arrive } = stories;
  const acceptVersion = useCallback(
    (next: CampaignAdmin) => {
      if (next.version < saver.version) return;
      const before = saver.known;
      const changed = saver.acceptVersion(next.version, partsOf(next));
      // At once: a key pressed in between would write over what others have changed in a story.
      flushSync(() => {
        setAdmin(next);
        showTheirs(changed.filter((part) => !isStory(part)));
        for (const part of changed.filter(isStory)) {
          const [base, theirs] = [before[part], partsOf(next)[part]];
          setTyped((old) => ({ ...old, [part]: theirs }));
          if (base) arrive(part, mergeTexts({ base, mine: base, theirs, sent: [] }), () => whoChanged(part));
        }
      });
    },
    [saver, showTheirs, arrive, whoChanged],
  );
  /** Reads the campaign again, for its checklist and others' changes. Resolves to it; undefined if that failed. */
  const refresh = useCallback(async () => {
    const { data } = await readAdmin({ campaignId, here: placeInFocus() });
    if (!data) return undefined;
    acceptVersion(data.campaign);
    setWriters(data.writers ?? []);
    return data.campaign;
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

  useOthersChanges(refresh);

  const { question, keepMine, keepTheirs } = useConflict({
    saver,
    status,
    read: async () => (await readAdmin({ campaignId })).data?.campaign,
    partsOf,
    whoChanged,
    onRead: acceptVersion,
    onDropped: (part) => showTheirs([part]),
  });

  return {
    campaignId,
    userId,
    admin,
    writers,
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
    /** How many places wait for a choice between two people's versions. */
    questions: stories.questions + (question ? 1 : 0),
    arrivalsOf: (part: StoryName) =>
      stories.arrivalsOf(part, (base, isAsking) => saver.answer(part, base, isAsking)),
  };
}

type StoryName = `${Language}.json_description`;

/** The story in each language. */
export const storyParts: readonly StoryName[] = languages.map(
  (language) => `${language}.json_description` as const,
);

const isStory = (part: PartName): part is StoryName => storyParts.some((one) => one === part);

/** The versions of a story; undefined for other parts, of which one version is chosen as a whole. */
function storyVersions(versions: MergeVersions<unknown> | undefined): MergeVersions<Doc> | undefined {
  return versions && isDoc(versions.base) ? (versions as MergeVersions<Doc>) : undefined;
}

/** What useCampaignWriting returns. */
export type CampaignWriting = ReturnType<typeof useCampaignWriting>;
