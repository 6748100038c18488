import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useChangePostMutation,
  useLazyCampaignHistoryQuery,
  useLazyPostAdminQuery,
  type PostAdmin,
  type Writer,
} from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import type { Merged, MergeVersions, Sent } from '../autosaver';
import { mergedText, mergeTexts } from '../merge/textMerge';
import { useMergedTexts } from '../merge/useMergedTexts';
import { useOthersChanges } from '../merge/useOthersChanges';
import type { Doc } from '../richText/document';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isSame, partsOf, type PostParts, type PostText } from './parts';

const failureOf = (error: unknown): ApiError =>
  isApiError(error) ? error : { status: 'invalid_response', http: 0 };

/** The state of the post editor: the typed values, the server's post, autosave and conflicts. */
export function usePostWriting(first: PostAdmin, userId: number, firstWriters: readonly Writer[] = []) {
  const [post, setPost] = useState(first);
  const [writers, setWriters] = useState(firstWriters);
  const [changePost] = useChangePostMutation();
  const [readPost] = useLazyPostAdminQuery();
  const [readHistory] = useLazyCampaignHistoryQuery();
  const { id: postId, campaign_id: campaignId } = first;

  const send = useCallback(
    async (part: keyof PostParts, value: PostText | number, version: number): Promise<Sent> => {
      const postChange =
        typeof value === 'number'
          ? { meta: { level: value } }
          : {
              language: part as Language,
              content: { title: value.title.trim(), json: { ...value.doc, content: [...value.doc.content] } },
            };
      const { data, error } = await changePost({
        campaignId,
        postId,
        'If-Match': `"${version}"`,
        postChange,
      });
      if (!data) return { error: failureOf(error) };
      setPost(data.post);
      return { version: data.post.version };
    },
    [changePost, campaignId, postId],
  );
  const { saver, status } = useAutosave<PostParts>({
    name: `post-${postId}`,
    userId,
    version: first.version,
    known: partsOf(first),
    isSame,
    send,
    merge: (_, versions) => {
      const asked = textVersions(versions);
      if (!asked) return undefined;
      const { value, base, isAsking } = mergedText(mergeTexts(asked.docs));
      return {
        value: { title: asked.title, doc: value },
        base: { title: asked.theirs.title, doc: base },
        isAsking,
      } as Merged<PostText> as Merged<typeof versions.base>;
    },
    onMerged: (part, versions) => {
      const asked = textVersions(versions);
      if (!asked) return;
      const merge = mergeTexts(asked.docs);
      flushSync(() => {
        setParts((old) => ({ ...old, [part]: { title: asked.title, doc: mergedText(merge).value } }));
        arrive(part, merge, whoChanged);
      });
    },
  });
  const { arrive, arrivalsOf, questions } = useMergedTexts(
    languages,
    (part) => textVersions(saver.asking(part as Language))?.docs,
  );
  const [parts, setParts] = useState(() => ({ ...partsOf(first), ...saver.unsaved }));
  const write = <Name extends keyof PostParts>(part: Name, value: PostParts[Name]) => {
    setParts((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };

  // Counts how often the text was replaced from outside. Part of the rich-text editor's key, which remounts it.
  const [remounts, setRemounts] = useState(0);
  const showTheirs = (theirs: PostAdmin, names: readonly (keyof PostParts)[]) => {
    if (names.length === 0) return;
    const all = partsOf(theirs);
    setParts((old) => ({ ...old, ...Object.fromEntries(names.map((name) => [name, all[name]])) }));
  };
  const whoChanged = async () => {
    const { data } = await readHistory({ campaignId, limit: 20 });
    const change = data?.changes.find(
      ({ entity, entity_id, by }) => entity === 'post' && entity_id === postId && by.user_id !== userId,
    );
    return { who: change?.by.name ?? '', at: change?.at ?? '' };
  };
  /** Takes over the server's post, as read after others' changes or returned by a request such as publishing. */
  const acceptVersion = (theirs: PostAdmin) => {
    if (theirs.version < saver.version) return;
    const before = saver.known;
    const changed = saver.acceptVersion(theirs.version, partsOf(theirs));
    // At once: a key pressed in between would write over what others have changed.
    flushSync(() => {
      setPost(theirs);
      showTheirs(theirs, changed);
      for (const part of changed) {
        const [base, now] = [before[part], partsOf(theirs)[part]];
        if (typeof base !== 'object' || typeof now !== 'object') continue;
        const merge = mergeTexts({ base: base.doc, mine: base.doc, theirs: now.doc, sent: [] });
        arrive(part, merge, whoChanged);
      }
    });
  };
  useOthersChanges(async () => {
    const { data } = await readPost({ campaignId, postId, here: '' });
    if (!data) return;
    acceptVersion(data.post);
    setWriters(data.writers ?? []);
  });
  const conflict = useConflict({
    saver,
    status,
    read: async () => (await readPost({ campaignId, postId })).data?.post,
    partsOf,
    whoChanged: async (_, theirs) => ({ ...(await whoChanged()), at: theirs.updated_at }),
    onRead: acceptVersion,
    onDropped: (part, theirs) => {
      showTheirs(theirs, [part]);
      setRemounts((count) => count + 1);
    },
  });

  return {
    post,
    writers,
    parts,
    write,
    saver,
    status,
    remounts,
    acceptVersion,
    ...conflict,
    /** How many places wait for a choice between two people's versions. */
    questions: questions + (conflict.question ? 1 : 0),
    arrivalsOf: (language: Language) =>
      arrivalsOf(language, (doc, isAsking) =>
        saver.answer(language, { title: saver.known[language]?.title ?? '', doc }, isAsking),
      ),
  };
}

/**
 * The versions of a text whose documents can be merged, with the title that it has then; undefined if both have changed
 * the title differently, or of the level.
 */
function textVersions(versions: MergeVersions<PostText | number> | undefined) {
  if (!versions || typeof versions.base !== 'object') return undefined;
  const { base, mine, theirs, sent } = versions as MergeVersions<PostText>;
  const isTheirs = mine.title === base.title;
  const isMine = [base, mine, ...sent].some(({ title }) => title === theirs.title);
  if (!isTheirs && !isMine) return undefined;
  const docs: MergeVersions<Doc> = {
    base: base.doc,
    mine: mine.doc,
    theirs: theirs.doc,
    sent: sent.map(({ doc }) => doc),
  };
  return { title: isTheirs ? theirs.title : mine.title, theirs, docs };
}
