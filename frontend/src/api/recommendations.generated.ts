import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    campaignRecommendations: build.query<
      CampaignRecommendationsApiResponse,
      CampaignRecommendationsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/recommendations/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
    experimentRecommendations: build.query<
      ExperimentRecommendationsApiResponse,
      ExperimentRecommendationsApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/recommendations/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
    myRecommendations: build.query<
      MyRecommendationsApiResponse,
      MyRecommendationsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/recommendations/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedRecommendations };
export type CampaignRecommendationsApiResponse =
  /** status 200 The best suggestion first */ RecommendationsAnswer;
export type CampaignRecommendationsApiArg = {
  campaignId: number;
  language: Language;
  limit?: number;
};
export type ExperimentRecommendationsApiResponse =
  /** status 200 The best suggestion first */ RecommendationsAnswer;
export type ExperimentRecommendationsApiArg = {
  experimentId: number;
  language: Language;
  limit?: number;
};
export type MyRecommendationsApiResponse =
  /** status 200 The best suggestion first */ RecommendationsAnswer;
export type MyRecommendationsApiArg = {
  language: Language;
  limit?: number;
};
export type Reason = {
  kind:
    | "topic"
    | "same_tags"
    | "backed_together"
    | "liked_together"
    | "you_backed"
    | "you_like"
    | "your_tags"
    | "ends_soon"
    | "near"
    | "popular";
  /** In the reader's language */
  text: string;
};
export type Suggestion = {
  kind: "campaign" | "experiment";
  id: number;
  title: string;
  /** The language of the title */
  language: string;
  /** Of its page in the reader's language */
  path: string;
  /** File name under /media */
  picture: string;
  /** Of the goal; left out of what is monthly or hides its amount */
  percent?: number;
  /** Of the goal and still with the bank; left out when nothing is */
  settling_percent?: number;
  /** The time left, or what kind it is, in the reader's language */
  state: string;
  reason: Reason;
};
export type RecommendationsAnswer = {
  suggestions: Suggestion[];
};
export type FieldError = {
  path: string;
  /** A key of the rules in errors.yaml */
  rule: string;
  /** What fills the placeholders of the rule's text, such as min */
  params?: {
    [key: string]: any;
  };
  message: string;
};
export type ApiError = {
  /** A key of errors.yaml */
  status: string;
  code?: string;
  /** In the reader's language */
  message: string;
  fields?: FieldError[];
  /** Of status changed_meanwhile: the version there is */
  version?: number;
  request_id: string;
};
export type Language = string;
export const {
  useCampaignRecommendationsQuery,
  useLazyCampaignRecommendationsQuery,
  useExperimentRecommendationsQuery,
  useLazyExperimentRecommendationsQuery,
  useMyRecommendationsQuery,
  useLazyMyRecommendationsQuery,
} = injectedRtkApi;
