import { campaignTag } from './content';
import { generatedEditing } from './editing.generated';

export type * from './editing.generated';

/** The calls of writing and reviewing, with what they change for readers. */
export const editing = generatedEditing.enhanceEndpoints({
  // Review: the campaigns that wait for staff.
  addTagTypes: ['Campaign', 'Reader', 'Review', 'Own'],
  endpoints: {
    // Always read anew: what one begins to edit or to review must not be an earlier visit's.
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
    campaignsInReview: { providesTags: ['Review', 'Own'] },
    decideReview: {
      // A refusal tells that the list is not what it was, too.
      invalidatesTags: (answer, error, arg) => ['Review', ...campaignTag(answer, error, arg)],
    },
    requestReview: { invalidatesTags: ['Review'] },
    withdrawReview: { invalidatesTags: ['Review'] },
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
  useAdoptContentVariationMutation,
  useCampaignOverviewQuery,
  useLazyBackersTableQuery,
  useAcceptCampaignInvitationMutation,
  useAddContentVariationMutation,
  useCampaignAdminQuery,
  useCampaignHistoryQuery,
  useCampaignInvitationQuery,
  useCampaignsInReviewQuery,
  useChangeCampaignAdminMutation,
  useChangeCampaignLanguageMutation,
  useChangeCampaignSettingsMutation,
  useChangePostMutation,
  useChangeRewardLanguageMutation,
  useChangeRewardMutation,
  useCreatePostMutation,
  useCreateRewardMutation,
  useDecideReviewMutation,
  useDeleteContentVariationMutation,
  useDeletePostMutation,
  useDeleteRewardMutation,
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  useLazyCampaignHistoryValueQuery,
  useLazyPostAdminQuery,
  useLazyRewardAdminQuery,
  useLookUpVideoMutation,
  useMendReviewNoteMutation,
  useMyCampaignsQuery,
  usePostAdminQuery,
  useRequestReviewMutation,
  useRewardAdminQuery,
  useSendTestLetterMutation,
  useSetSubscriptionGoalsMutation,
  useUnsubscribeFromLettersMutation,
  useWithdrawReviewMutation,
} = editing;
