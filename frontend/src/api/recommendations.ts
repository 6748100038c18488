import { generatedRecommendations } from './recommendations.generated';

export type * from './recommendations.generated';

/** The calls for suggestions, in the chunk of those. */
export const recommendations = generatedRecommendations;

export const {
  useCampaignRecommendationsQuery,
  useExperimentRecommendationsQuery,
  useMyRecommendationsQuery,
} = recommendations;
