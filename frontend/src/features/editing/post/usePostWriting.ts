import { useCallback, useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useChangePostMutation,
  useLazyCampaignHistoryQuery,
  useLazyPostAdminQuery,
  type PostAdmin,
} from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import type { Sent } from '../autosaver';
import { useAutosave } from '../useAutosave';
import { useConflict } from '../useConflict';
import { isSame, partsOf, type PostParts, type PostText } from './parts';

const failureOf = (error: unknown): ApiError =>
  isApiError(error) ? error : { status: 'invalid_response', http: 0 };

/** A post while it is written: what it says here, what the server has, and two people's versions. */
export function usePostWriting(first: PostAdmin, userId: number) {
  const [post, setPost] = useState(first);
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
  });
  const [parts, setParts] = useState(() => ({ ...partsOf(first), ...saver.unsaved }));
  const write = <Name extends keyof PostParts>(part: Name, value: PostParts[Name]) => {
    setParts((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };

  // Counts how often the text was replaced from outside; the editor begins anew then.
  const [round, setRound] = useState(0);
  const showTheirs = (theirs: PostAdmin, names: readonly (keyof PostParts)[]) => {
    if (names.length === 0) return;
    const all = partsOf(theirs);
    setParts((old) => ({ ...old, ...Object.fromEntries(names.map((name) => [name, all[name]])) }));
    setRound((count) => count + 1);
  };
  /** Takes the post as it is now: as others have left it, or a call of this page such as publishing. */
  const take = (theirs: PostAdmin) => {
    if (theirs.version < saver.version) return;
    setPost(theirs);
    showTheirs(theirs, saver.take(theirs.version, partsOf(theirs)));
  };
  const conflict = useConflict({
    saver,
    status,
    read: async () => (await readPost({ campaignId, postId })).data?.post,
    partsOf,
    whoChanged: async (_, theirs) => {
      const { data } = await readHistory({ campaignId, limit: 20 });
      const change = data?.changes.find(
        ({ entity, entity_id, by }) => entity === 'post' && entity_id === postId && by.user_id !== userId,
      );
      return { who: change?.by.name ?? '', at: theirs.updated_at };
    },
    onRead: take,
    onDropped: (part, theirs) => showTheirs(theirs, [part]),
  });

  return {
    post,
    parts,
    write,
    saver,
    status,
    round,
    take,
    ...conflict,
  };
}
