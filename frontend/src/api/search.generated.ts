import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    search: build.query<SearchApiResponse, SearchApiArg>({
      query: (queryArg) => ({
        url: `/v6/search/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          q: queryArg.q,
          place: queryArg.place,
          group: queryArg.group,
          exact: queryArg.exact,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSearch };
export type SearchApiResponse = /** status 200 What was found */ SearchAnswer;
export type SearchApiArg = {
  language: Language;
  /** At most eight words count */
  q: string;
  /** Only what is there, by any name that Finland has for it; a region too */
  place?: string;
  /** Only this group's hits; all groups are counted */
  group?: SearchGroupName;
  /** Do not search for what may have been meant */
  exact?: boolean;
  /** Hits of a group */
  limit?: number;
  offset?: number;
};
export type SearchGroupName =
  "open" | "monthly" | "coming" | "ended" | "creators" | "experiments";
export type Slug = string;
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type Amount = number;
export type Count = number;
export type Day = string;
export type Creator = {
  user_id: number;
  name: string;
  /** File name under /media */
  image: string;
  verified: boolean;
  short_description: string;
  /** The language of short_description */
  language?: string;
};
export type SubscriptionGoal = {
  goal_id: number;
  /** Subscriptions */
  target: number;
  title: string;
  description: string;
};
export type Subscriptions = {
  subscriptions_amount_total: Amount;
  subscriptions_goals: SubscriptionGoal[];
  subscriptions_subscribers_count: Count;
};
export type HoldKind = "on_hold" | "stopped";
export type CampaignWork = {
  review: "none" | "requested" | "approved" | "changes_requested";
  asked_at?: string;
  answer_by?: Day;
  decided_at?: string;
  /** Checklist items done */
  done: number;
  of: number;
  /** Key of the first checklist item that is missing */
  next?: string;
  notes?: Count;
  notes_mended?: Count;
  /** The first note that is not mended */
  note?: string;
  note_by?: string;
  updated_at: string;
  payment_account: boolean;
};
export type CampaignPreview = {
  campaign_id: number;
  slug: Slug;
  title: string;
  tagline: string;
  short_description: string;
  /** File name under /media, always present (drawn when the creator gave none) */
  project_pic: string;
  stage: number;
  category_id: number;
  /** The main category's label */
  category?: string;
  categories: number[];
  tags: Tag[];
  place: string;
  currency: string;
  min_goal: Amount;
  target_goal: Amount;
  funding_reached: Amount;
  funding_settling: Amount;
  number_of_backers: Count;
  hide_funding_amount: boolean;
  hide_member_count: boolean;
  first_day_of_funding?: Day;
  last_day_of_funding?: Day;
  funding_start?: string;
  /** The last second of the last day */
  funding_deadline?: string;
  creator: Creator;
  subscriptions?: Subscriptions;
  /** The language the texts are in */
  language: string;
  likes: Count;
  has_video?: boolean;
  hold?: HoldKind;
  work?: CampaignWork;
};
export type Link = {
  url: string;
  title: string;
};
export type ProfileCounts = {
  campaigns: Count;
  experiments: Count;
  /** Campaigns backed under their own name; left out unless they show it */
  backed?: number;
};
export type UserPreview = {
  user_id: number;
  first_name: string;
  last_name: string;
  short_description: string;
  /** Of the description */
  language: string;
  /** A path under /media with {width}x{height} left to the reader */
  image: string;
  image_filename: string;
  /** Staff know who it is */
  verified: boolean;
  links: Link[];
  tags: Tag[];
  counts: ProfileCounts;
};
export type ShowIn = {
  [key: string]: boolean;
};
export type ExperimentPreview = {
  experiment_id: number;
  slug: Slug;
  stage: number;
  title: string;
  short_description: string;
  /** File name under /media */
  image: string;
  owner_name: string;
  show_in: ShowIn;
  place: string;
  language: string;
  like_count: Count;
};
export type SearchGroup = {
  name: SearchGroupName;
  /** How many hits there are, exactly up to 200; with total_is_more at least so many */
  total: number;
  /** Present and true when counting ended before the group */
  total_is_more?: boolean;
  /** Of open, monthly, coming and ended */
  campaigns?: CampaignPreview[];
  creators?: UserPreview[];
  experiments?: ExperimentPreview[];
};
export type SearchPlace = {
  /** As it is written */
  place: string;
  /** A region of Finland */
  is_region: boolean;
  /** In the reader's language */
  label: string;
  total: number;
};
export type SearchAnswer = {
  /** What was searched for */
  searched: string;
  /** It is not what was typed but what was likely meant */
  is_corrected: boolean;
  /** What to underline where it occurs, in lower case and without accents, the longest first */
  marks: string[];
  total: number;
  total_is_more?: boolean;
  /** Of a search in a place: how many hits it leaves out */
  elsewhere?: number;
  /** Those with hits, in the order of SearchGroupName; when nothing was found all, with how many there are to be found */
  groups: SearchGroup[];
  /** Where the hits are, most first, at most 50 */
  places: SearchPlace[];
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
export const { useSearchQuery, useLazySearchQuery } = injectedRtkApi;
