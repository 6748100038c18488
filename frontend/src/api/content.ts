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
  addTagTypes: ['Campaign', 'Reader', 'Own'],
  endpoints: {
    campaign: { providesTags: campaignAndReaderTags },
    campaignRewards: { providesTags: campaignAndReaderTags },
    campaignPost: {
      providesTags: (answer, error, arg) => [
        ...campaignAndReaderTags(answer, error, arg),
        ...(answer?.post.restricted ? ['Own' as const] : []),
      ],
    },
    experiment: { providesTags: ['Reader'] },
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
  useOwnProfileQuery,
  useSubscriptionCampaignsQuery,
} = content;
