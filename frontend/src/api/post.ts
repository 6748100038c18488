import { campaignAndReaderTags } from './content';
import { generatedPost } from './post.generated';

export type * from './post.generated';

/** One post. What only backers read of it is removed on sign-out. */
export const post = generatedPost.enhanceEndpoints({
  addTagTypes: ['Campaign', 'Reader', 'Own'],
  endpoints: {
    campaignPost: {
      providesTags: (answer, error, arg) => [
        ...campaignAndReaderTags(answer, error, arg),
        ...(answer?.post.restricted ? ['Own' as const] : []),
      ],
    },
  },
});

export const { useCampaignPostQuery } = post;
