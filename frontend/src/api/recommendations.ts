import { generatedRecommendations } from './recommendations.generated';

export type * from './recommendations.generated';

/**
 * The calls for suggestions, in the chunk of those. A person's own say what they have backed, so they go when that person
 * signs out and are kept for nobody.
 */
export const recommendations = generatedRecommendations.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own'],
  endpoints: { myRecommendations: { providesTags: ['Reader', 'Own'], keepUnusedDataFor: 0 } },
});

export const {
  useCampaignRecommendationsQuery,
  useExperimentRecommendationsQuery,
  useMyRecommendationsQuery,
} = recommendations;
