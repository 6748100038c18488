import { useCallback, useEffect, useRef, useState } from 'react';
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
import { conflictsOf } from './conflict';
import { partsOf, type PostParts, type PostText } from './parts';

/** The post that somebody else has saved meanwhile. */
export interface OtherVersion {
  post: PostAdmin;
  /** Empty when it is not known. */
  who: string;
  language: Language;
}

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
    send,
  });
  const [parts, setParts] = useState(() => partsOf(first, saver.unsaved));
  // What an earlier visit left was written upon a version that is not known any more.
  const [wasBehind] = useState(saver.version !== first.version);

  const write = <Name extends keyof PostParts>(part: Name, value: PostParts[Name]) => {
    setParts((old) => ({ ...old, [part]: value }));
    saver.change(part, value);
  };

  const [other, setOther] = useState<OtherVersion>();
  // Counts how often the text was replaced from outside; the editor begins anew then.
  const [round, setRound] = useState(0);
  const begun = useRef<PostAdmin>(undefined);
  useEffect(() => {
    begun.current = wasBehind && post === first ? undefined : post;
  }, [wasBehind, post, first]);
  const isConflict = status.is === 'conflict';
  useEffect(() => {
    if (!isConflict) return undefined;
    let isGone = false;
    const compare = async () => {
      const { data } = await readPost({ campaignId, postId });
      if (!data || isGone) return;
      const [language] = conflictsOf(saver.unsaved, data.post, begun.current);
      if (!language) {
        saver.keepMine(data.post.version); // They have changed something else.
        return;
      }
      const { data: history } = await readHistory({ campaignId, limit: 20 });
      const change = history?.changes.find(
        ({ entity, entity_id, by }) => entity === 'post' && entity_id === postId && by.user_id !== userId,
      );
      setOther({ post: data.post, language, who: change?.by.name ?? '' });
    };
    void compare();
    return () => {
      isGone = true;
    };
  }, [isConflict, readPost, readHistory, campaignId, postId, saver, userId]);

  return {
    post,
    parts,
    write,
    saver,
    status,
    round,
    other: isConflict ? other : undefined,
    keepMine: () => {
      if (other) saver.keepMine(other.post.version);
      setOther(undefined);
    },
    keepTheirs: () => {
      if (!other) return;
      saver.dropMine(other.post.version);
      setPost(other.post);
      setParts(partsOf(other.post, {}));
      setRound((count) => count + 1);
      setOther(undefined);
    },
    /** Takes what a call of this page has made of the post, such as publishing. */
    take: (changed: PostAdmin) => {
      saver.moveTo(changed.version);
      setPost(changed);
    },
  };
}
