import { campaignTag } from './content';
import { generatedEditing } from './editing.generated';

/** The calls of reviews, for teams and staff. */
const review = generatedEditing.enhanceEndpoints({
  // Review: the campaigns that wait for staff.
  addTagTypes: ['Campaign', 'Review', 'Own'],
  endpoints: {
    // Always read anew: the team may have written meanwhile.
    campaignAdmin: { keepUnusedDataFor: 0 },
    campaignsInReview: { providesTags: ['Review', 'Own'] },
    decideReview: {
      // A refusal tells that the list is not what it was, too.
      invalidatesTags: (answer, error, arg) => ['Review', ...campaignTag(answer, error, arg)],
    },
    requestReview: { invalidatesTags: ['Review'] },
    withdrawReview: { invalidatesTags: ['Review'] },
  },
});

export const {
  useCampaignAdminQuery,
  useCampaignsInReviewQuery,
  useDecideReviewMutation,
  useMendReviewNoteMutation,
  useRequestReviewMutation,
  useWithdrawReviewMutation,
} = review;
