import { generatedContent } from './content.generated';

export type * from './content.generated';

interface CampaignArg {
  campaignId: number;
}

/** What a paid pledge moves: the campaign's sum, its backers and its stock. */
export const campaignTag = (_answer: unknown, _error: unknown, { campaignId }: CampaignArg) => [
  { type: 'Campaign' as const, id: campaignId },
];

const campaignAndReaderTags = (answer: unknown, error: unknown, arg: CampaignArg) => [
  ...campaignTag(answer, error, arg),
  'Reader' as const,
];

/**
 * The content service as the screens use it: the generated calls with their cache tags. The store takes it from here, so
 * the tags hold whichever page is opened first. Lists in chunks and likes come with the screens that have them.
 */
export const content = generatedContent.enhanceEndpoints({
  // Reader: the answer depends on who asks. Own: it is about the one who asks and must go when they sign out.
  addTagTypes: ['Campaign', 'Reader', 'Own'],
  endpoints: {
    campaign: { providesTags: campaignAndReaderTags },
    campaignRewards: { providesTags: campaignAndReaderTags },
    campaignPost: { providesTags: (answer) => (answer?.post.restricted ? ['Reader', 'Own'] : ['Reader']) },
    experiment: { providesTags: ['Reader'] },
    pledge: { providesTags: ['Reader'] },
    ownAddress: { providesTags: ['Reader', 'Own'] },
    ownProfile: { providesTags: ['Reader', 'Own'] },
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
  useOwnAddressQuery,
  usePledgeQuery,
  useRegisterMutation,
  useSignInMutation,
  useSubscriptionCampaignsQuery,
} = content;
