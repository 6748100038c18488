import { languages } from '../domain/languages';
import { logQuietly } from './apiError';
import { content, type Campaign } from './content';
import { selectUser, type SessionState } from './session';

/** What a like changes on the campaign's page. */
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
 * Shows the like at once in every language that is there; takes it back when the server refuses. Whoever reads when the
 * answer comes may be somebody else: it is not theirs.
 */
function likeOptimistically(isLiked: boolean): LikeLifecycle {
  return async ({ campaignId }, { dispatch, getState, queryFulfilled }) => {
    const reader = () => selectUser(getState() as { session: SessionState })?.user_id;
    const liking = reader();
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
      if (reader() === liking) change((campaign) => withLike(campaign, data.liked, data.likes));
    } catch (failure) {
      if (reader() === liking) for (const patch of patches) patch.undo();
      logQuietly('like', (failure as { error?: unknown }).error);
    }
  };
}

/** Likes that show at once. */
export const { useLikeCampaignMutation, useUnlikeCampaignMutation } = content.enhanceEndpoints({
  endpoints: {
    likeCampaign: { onQueryStarted: likeOptimistically(true) },
    unlikeCampaign: { onQueryStarted: likeOptimistically(false) },
  },
});
