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

/** The state of the post editor: the typed values, the server's post, autosave and conflicts. */
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

  // Counts how often the text was replaced from outside. Part of the rich-text editor's key, which remounts it.
  const [remounts, setRemounts] = useState(0);
  const showTheirs = (theirs: PostAdmin, names: readonly (keyof PostParts)[]) => {
    if (names.length === 0) return;
    const all = partsOf(theirs);
    setParts((old) => ({ ...old, ...Object.fromEntries(names.map((name) => [name, all[name]])) }));
    setRemounts((count) => count + 1);
  };
  /** Takes over the server's post, as read after others' changes or returned by a request such as publishing. */
  const acceptVersion = (theirs: PostAdmin) => {
    if (theirs.version < saver.version) return;
    setPost(theirs);
    showTheirs(theirs, saver.acceptVersion(theirs.version, partsOf(theirs)));
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
    onRead: acceptVersion,
    onDropped: (part, theirs) => showTheirs(theirs, [part]),
  });

  return {
    post,
    parts,
    write,
    saver,
    status,
    remounts,
    acceptVersion,
    ...conflict,
  };
}
