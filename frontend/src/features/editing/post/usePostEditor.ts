import { useState } from 'react';
import {
  useChangePostMutation,
  useLazyCampaignHistoryQuery,
  useLazyPostAdminQuery,
  type PostAdmin,
  type PostChange,
  type Writer,
} from '../../../api/editing';
import { languages } from '../../../domain/languages';
import type { MergeVersions } from '../../../ui/saving/unsaved';
import { changerOf } from '../history/changerOf';
import type { Doc } from '../richText/document';
import { useEntityEditor, type MergeableText } from '../useEntityEditor';
import { isSame, partsOf, type PostParts, type PostText } from './parts';

/** The state of the post editor. */
export function usePostEditor(first: PostAdmin, userId: number, firstWriters?: readonly Writer[]) {
  const state = useState(first);
  const [changePost] = useChangePostMutation();
  const [readPost] = useLazyPostAdminQuery();
  const [readHistory] = useLazyCampaignHistoryQuery();
  const { id: postId, campaign_id: campaignId } = first;
  const editor = useEntityEditor<PostParts, PostAdmin>({
    name: `post-${postId}`,
    userId,
    state,
    firstWriters,
    partsOf,
    isSame,
    read: async (here) => {
      const { data } = await readPost({ campaignId, postId, here });
      return data && { entity: data.post, writers: data.writers };
    },
    whoChanged: async (_, theirs) => {
      const changer = changerOf(
        await readHistory({ campaignId, limit: 20 }),
        userId,
        ({ entity, entity_id }) => entity === 'post' && entity_id === postId,
      );
      return theirs ? { ...changer, at: theirs.updated_at } : changer;
    },
    send: (part, value, ifMatch) =>
      changePost({ campaignId, postId, 'If-Match': ifMatch, postChange: changeOf(part, value) }),
    entityIn: (data) => (data as { post?: PostAdmin } | undefined)?.post,
    texts: { parts: languages, in: textIn },
  });
  return { ...editor, post: state[0] };
}

/** What useEntityEditor returns for a post. */
export type PostEditing = ReturnType<typeof usePostEditor>;

function changeOf(part: keyof PostParts, value: PostText | number): PostChange {
  if (typeof value === 'number') return { meta: { level: value } };
  const { title, doc } = value;
  return {
    language: part,
    content: { title: title.trim(), json: { ...doc, content: [...doc.content] } },
  };
}

/**
 * The documents of a text, with the title that it has once they are merged; undefined if both have changed the title
 * differently, or of the level.
 */
function textIn<Value>(versions: MergeVersions<Value>): MergeableText<Value> | undefined {
  if (typeof versions.base !== 'object') return undefined;
  const { base, mine, theirs, sent } = versions as MergeVersions<Value & PostText>;
  const isTheirs = mine.title === base.title;
  const isMine = [base, mine, ...sent].some(({ title }) => title === theirs.title);
  if (!isTheirs && !isMine) return undefined;
  const withTitle =
    ({ title }: PostText) =>
    (doc: Doc) =>
      ({ title, doc }) as Value;
  return {
    docs: { base: base.doc, mine: mine.doc, theirs: theirs.doc, sent: sent.map(({ doc }) => doc) },
    value: withTitle(isTheirs ? theirs : mine),
    base: withTitle(theirs),
  };
}
