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
    campaignAdmin: { keepUnusedDataFor: 0 },
    campaignOverview: { providesTags: campaignTag, keepUnusedDataFor: 0 },
    adoptContentVariation: { invalidatesTags: campaignTag },
    // CSV as text; a refusal is JSON, as everywhere.
    backersTable: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = ({ campaignId, language }) => ({
        url: `/campaigns/${campaignId}/backers/table/`,
        params: { language },
        responseHandler: (response) => (response.ok ? response.text() : response.json()),
      });
    },
    // A draft is in nobody's list but its team's; what is out, or goes in or out, is in everybody's.
    changePost: {
      invalidatesTags: (answer, _error, { campaignId, postChange }) =>
        (postChange.status ?? answer?.post.status === 'published')
          ? [{ type: 'Campaign' as const, id: campaignId }]
          : [],
    },
    createPost: { invalidatesTags: campaignTag },
    deletePost: { invalidatesTags: campaignTag },
    changeCampaignLanguage: { invalidatesTags: campaignTag },
    changeCampaignCustomLanguage: { invalidatesTags: campaignTag },
    changeCampaignSettings: { invalidatesTags: campaignTag },
    changeCampaignMeta: { invalidatesTags: campaignTag },
    changeCampaignAdmin: { invalidatesTags: campaignTag },
    setCampaignCategories: { invalidatesTags: campaignTag },
    setCampaignTags: { invalidatesTags: campaignTag },
    setSubscriptionGoals: { invalidatesTags: campaignTag },
    addContentVariation: { invalidatesTags: campaignTag },
    deleteContentVariation: { invalidatesTags: campaignTag },
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

/** For code that calls several of them by name. */
export const { endpoints: editingEndpoints } = editing;

export const {
  useAddContentVariationMutation,
  useAdoptContentVariationMutation,
  useCampaignOverviewQuery,
  useLazyBackersTableQuery,
  useCampaignHistoryQuery,
  useChangeCampaignAdminMutation,
  useCreateRewardMutation,
  useDeleteContentVariationMutation,
  useLazyCampaignAdminQuery,
  useRequestReviewMutation,
  useCampaignAdminQuery,
  useSetSubscriptionGoalsMutation,
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
