import { generatedContent } from './content.generated';

export type * from './content.generated';

interface OfCampaign {
  campaignId: number;
}

/** What a paid pledge moves: the campaign's sum, its backers and its stock. */
export const ofCampaign = (_answer: unknown, _error: unknown, { campaignId }: OfCampaign) => [
  { type: 'Campaign' as const, id: campaignId },
];

/** The same for what depends on the reader, too. */
export const ofCampaignAndReader = (answer: unknown, error: unknown, arg: OfCampaign) => [
  ...ofCampaign(answer, error, arg),
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
    campaign: { providesTags: ofCampaignAndReader },
    campaignRewards: { providesTags: ofCampaignAndReader },
    campaignPost: {
      providesTags: (answer, error, arg) => [
        ...ofCampaignAndReader(answer, error, arg),
        ...(answer?.post.restricted ? ['Own' as const] : []),
      ],
    },
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
