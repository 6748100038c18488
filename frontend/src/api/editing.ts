import { asText } from './asText';
import { campaignTag } from './content';
import { generatedEditing, type BackersTableApiArg } from './editing.generated';

export type * from './editing.generated';

const tableQuery =
  (people: 'backers' | 'supporters') =>
  ({ campaignId, language }: BackersTableApiArg) => ({
    url: `/campaigns/${campaignId}/${people}/table/`,
    params: { language },
    responseHandler: asText,
  });

/** The endpoints for editing and reviewing campaigns, with the cache tags that they provide or invalidate. */
export const editing = generatedEditing.enhanceEndpoints({
  // Review: the review queue of the staff. Reviewed: the campaign that is being reviewed.
  addTagTypes: ['Campaign', 'Reader', 'Review', 'Reviewed', 'Own'],
  endpoints: {
    // Not cached: editing and reviewing must start from the current version, not from that of an earlier visit.
    postAdmin: { keepUnusedDataFor: 0 },
    myCampaigns: { providesTags: ['Reader', 'Own'], keepUnusedDataFor: 0 },
    acceptCampaignInvitation: { invalidatesTags: ['Reader'] },
    rewardAdmin: { keepUnusedDataFor: 0 },
    campaignAdmin: { providesTags: ['Reviewed'], keepUnusedDataFor: 0 },
    campaignOverview: { providesTags: campaignTag, keepUnusedDataFor: 0 },
    adoptContentVariation: { invalidatesTags: campaignTag },
    campaignDeliveries: { providesTags: campaignTag, keepUnusedDataFor: 0 },
    markDelivered: { invalidatesTags: campaignTag },
    // The response is CSV; errors are JSON, as everywhere.
    backersTable: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = tableQuery('backers');
    },
    supportersTable: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = tableQuery('supporters');
    },
    campaignsInReview: { providesTags: ['Review', 'Own'] },
    decideReview: {
      // Also on an error, because a refused decision usually means that the cached queue is out of date.
      invalidatesTags: (answer, error, arg) => ['Review', ...campaignTag(answer, error, arg)],
    },
    reviewChanges: { providesTags: ['Reviewed'], keepUnusedDataFor: 0 },
    seeReviewChanges: { invalidatesTags: ['Review'] },
    requestReview: { invalidatesTags: ['Review'] },
    withdrawReview: { invalidatesTags: ['Review'] },
    // Only if readers see the change: the post is published, or this change publishes or withdraws it.
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
    copyCampaign: { invalidatesTags: ['Own'] },
    discardCampaign: { invalidatesTags: ['Own'] },
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

/** The endpoints by name, for code that dispatches `initiate` itself. */
export const { endpoints: editingEndpoints } = editing;

export const {
  useAdoptContentVariationMutation,
  useCampaignOverviewQuery,
  useLazyBackersTableQuery,
  useLazySupportersTableQuery,
  useAcceptCampaignInvitationMutation,
  useAddContentVariationMutation,
  useCampaignAdminQuery,
  useCampaignDeliveriesQuery,
  useCampaignHistoryQuery,
  useCampaignPostPreviewsQuery,
  useCampaignInvitationQuery,
  useCampaignsInReviewQuery,
  useChangeCampaignAdminMutation,
  useChangeCampaignLanguageMutation,
  useChangeCampaignSettingsMutation,
  useChangePostMutation,
  useChangeRewardLanguageMutation,
  useChangeRewardMutation,
  useCopyCampaignMutation,
  useCopyRewardMutation,
  useCreatePostMutation,
  useCreateRewardMutation,
  useDecideReviewMutation,
  useDeleteContentVariationMutation,
  useDeletePostMutation,
  useDeleteRewardMutation,
  useDiscardCampaignMutation,
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  useLazyCampaignHistoryValueQuery,
  useLazyPostAdminQuery,
  useLazyRewardAdminQuery,
  useLookUpVideoMutation,
  useMarkDeliveredMutation,
  useMendReviewNoteMutation,
  useMyCampaignsQuery,
  usePostAdminQuery,
  useRequestReviewMutation,
  useReviewChangesQuery,
  useSeeReviewChangesMutation,
  useRewardAdminQuery,
  useSendTestLetterMutation,
  useSetPaymentAccountMutation,
  useSetSubscriptionGoalsMutation,
  useUnsubscribeFromLettersMutation,
  useWithdrawReviewMutation,
} = editing;
