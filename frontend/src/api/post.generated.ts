import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    campaignPost: build.query<CampaignPostApiResponse, CampaignPostApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/${encodeURIComponent(String(queryArg.postId))}/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedPost };
export type CampaignPostApiResponse = /** status 200 The post */ PostAnswer;
export type CampaignPostApiArg = {
  campaignId: number;
  postId: number;
  language?: Language;
};
export type PostPreview = {
  id: number;
  status: "draft" | "published";
  title: string;
  /** Plain text, at most 240 characters */
  intro: string;
  language: string;
  published_at?: string;
  /** When it was changed last; only of a draft */
  updated_at?: string;
  /** It has nothing in any language, not even a picture; only of a draft */
  is_empty?: boolean;
  author?: string;
  meta: {
    level: number;
  };
  /** The reader may not read the whole, so intro and content.html are a preview: the first paragraph or a part of it, never the whole text */
  restricted: boolean;
  type_id: number;
};
export type Post = PostPreview & {
  content: {
    title: string;
    /** Sanitised on the server */
    html: string;
  };
};
export type PostAnswer = {
  post: Post;
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
export const { useCampaignPostQuery, useLazyCampaignPostQuery } =
  injectedRtkApi;
