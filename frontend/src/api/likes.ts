import { languages } from '../domain/languages';
import { logQuietly } from './apiError';
import { content, type Campaign } from './content';
import { selectUser, type SessionState } from './session';

/** Applies a like or unlike to a cached campaign. */
function withLike(campaign: Campaign, isLiked: boolean, likes: number): void {
  campaign.my_relationships = isLiked ? ['like'] : [];
  campaign.likes = Math.max(0, likes);
}

type LikeLifecycle = (
  arg: { campaignId: number },
  api: {
    dispatch: (action: unknown) => unknown;
    getState: () => unknown;
    queryFulfilled: Promise<{ data: { likes: number; liked: boolean } }>;
  },
) => Promise<void>;

/**
 * An optimistic update of the campaign in all cached languages, undone when the request fails. The response is ignored
 * if another user has signed in meanwhile.
 */
function likeOptimistically(isLiked: boolean): LikeLifecycle {
  return async ({ campaignId }, { dispatch, getState, queryFulfilled }) => {
    const reader = () => selectUser(getState() as { session: SessionState })?.user_id;
    const likedBy = reader();
    const change = (recipe: (campaign: Campaign) => void) =>
      languages.map(
        (language) =>
          dispatch(
            content.util.updateQueryData('campaign', { campaignId, language }, ({ campaign }) =>
              recipe(campaign),
            ),
          ) as { undo: () => void },
      );
    const patches = change((campaign) => withLike(campaign, isLiked, campaign.likes + (isLiked ? 1 : -1)));
    try {
      const { data } = await queryFulfilled;
      if (reader() === likedBy) change((campaign) => withLike(campaign, data.liked, data.likes));
    } catch (failure) {
      if (reader() === likedBy) for (const patch of patches) patch.undo();
      logQuietly('like', (failure as { error?: unknown }).error);
    }
  };
}

/** Liking and unliking, with optimistic updates. */
export const { useLikeCampaignMutation, useUnlikeCampaignMutation } = content.enhanceEndpoints({
  endpoints: {
    likeCampaign: { onQueryStarted: likeOptimistically(true) },
    unlikeCampaign: { onQueryStarted: likeOptimistically(false) },
  },
});
