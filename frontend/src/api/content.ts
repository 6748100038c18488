import { generatedContent } from './content.generated';

export type * from './content.generated';

/** What a paid pledge moves: the campaign's sum, its backers and its stock. */
export const ofCampaign = (_answer: unknown, _error: unknown, { campaignId }: { campaignId: number }) => [
  { type: 'Campaign' as const, id: campaignId },
];

/**
 * The content service as the screens use it: the generated calls with their cache tags. The store takes it from here, so
 * the tags hold whichever page is opened first. Lists in chunks and likes come with the screens that have them.
 */
export const content = generatedContent.enhanceEndpoints({
  addTagTypes: ['Campaign'],
  endpoints: {
    campaign: { providesTags: ofCampaign },
    campaignRewards: { providesTags: ofCampaign },
  },
});

export const {
  useCampaignPostQuery,
  useCampaignPreviewsQuery,
  useCampaignQuery,
  useCampaignRewardsQuery,
  useCampaignTagsQuery,
  useCategoriesQuery,
  useExperimentPreviewsQuery,
  useExperimentQuery,
  usePledgeQuery,
  useRegisterMutation,
  useSignInMutation,
  useSubscriptionCampaignsQuery,
} = content;
