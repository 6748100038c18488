import { generatedContent } from './content.generated';

export type * from './content.generated';

interface CampaignArg {
  campaignId: number;
}

/** The tag of everything that a paid pledge changes: the campaign's sum, its backers and its stock. */
export const campaignTag = (_answer: unknown, _error: unknown, { campaignId }: CampaignArg) => [
  { type: 'Campaign' as const, id: campaignId },
];

/** The same for what also depends on who is signed in. */
export const campaignAndReaderTags = (answer: unknown, error: unknown, arg: CampaignArg) => [
  ...campaignTag(answer, error, arg),
  'Reader' as const,
];

/**
 * The content service's API: the generated endpoints with their cache tags. Infinite lists (lists.ts) and optimistic
 * likes (likes.ts) are added by the pages that use them, to keep the first visit small.
 */
export const content = generatedContent.enhanceEndpoints({
  // Reader: the response depends on who is signed in. Own: it is the user's own data and is removed on sign-out.
  addTagTypes: ['Campaign', 'Reader', 'Own', 'Experiments'],
  endpoints: {
    campaign: { providesTags: campaignAndReaderTags },
    campaignRewards: { providesTags: campaignAndReaderTags },
    experiment: { providesTags: ['Reader'] },
  },
});

export const {
  useCampaignPreviewsQuery,
  useCampaignQuery,
  useCampaignRewardsQuery,
  useCampaignTagsQuery,
  useCategoriesQuery,
  useExperimentPreviewsQuery,
  useExperimentQuery,
  useSubscriptionCampaignsQuery,
} = content;
