import { campaignTag } from './content';
import { generatedEditing } from './editing.generated';

export type * from './editing.generated';

/** The calls that writing posts and rewards makes, with what they change for readers. */
export const editing = generatedEditing.enhanceEndpoints({
  addTagTypes: ['Campaign', 'Reader', 'Own'],
  endpoints: {
    // Always read anew: what one begins to edit must not be an earlier visit's.
    postAdmin: { keepUnusedDataFor: 0 },
    myCampaigns: { providesTags: ['Reader', 'Own'], keepUnusedDataFor: 0 },
    acceptCampaignInvitation: { invalidatesTags: ['Reader'] },
    rewardAdmin: { keepUnusedDataFor: 0 },
    // A draft is in nobody's list but its team's; what is out, or goes in or out, is in everybody's.
    changePost: {
      invalidatesTags: (answer, _error, { campaignId, postChange }) =>
        (postChange.status ?? answer?.post.status === 'published')
          ? [{ type: 'Campaign' as const, id: campaignId }]
          : [],
    },
    createPost: { invalidatesTags: campaignTag },
    deletePost: { invalidatesTags: campaignTag },
    createReward: { invalidatesTags: campaignTag },
    changeReward: {
      invalidatesTags: (answer) =>
        answer ? [{ type: 'Campaign' as const, id: answer.reward.campaign_id }] : [],
    },
    changeRewardLanguage: {
      invalidatesTags: (answer) =>
        answer ? [{ type: 'Campaign' as const, id: answer.reward.campaign_id }] : [],
    },
  },
});

export const {
  useAcceptCampaignInvitationMutation,
  useCampaignInvitationQuery,
  useChangePostMutation,
  useChangeRewardLanguageMutation,
  useChangeRewardMutation,
  useCreatePostMutation,
  useDeletePostMutation,
  useDeleteRewardMutation,
  useLazyCampaignHistoryQuery,
  useLazyPostAdminQuery,
  usePostAdminQuery,
  useLookUpVideoMutation,
  useLazyRewardAdminQuery,
  useMyCampaignsQuery,
  useRewardAdminQuery,
  useSendTestLetterMutation,
  useUnsubscribeFromLettersMutation,
} = editing;
