import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    signOut: build.mutation<SignOutApiResponse, SignOutApiArg>({
      query: () => ({ url: `/users/tokens/`, method: "DELETE" }),
    }),
    categories: build.query<CategoriesApiResponse, CategoriesApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/categories/`,
        params: {
          language: queryArg.language,
          stages: queryArg.stages,
          tags: queryArg.tags,
          excluded_tags: queryArg.excludedTags,
        },
      }),
    }),
    campaignTags: build.query<CampaignTagsApiResponse, CampaignTagsApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/tags/`,
        params: {
          language: queryArg.language,
          stages: queryArg.stages,
          categories: queryArg.categories,
          excluded_tags: queryArg.excludedTags,
        },
      }),
    }),
    campaignPreviews: build.query<
      CampaignPreviewsApiResponse,
      CampaignPreviewsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/preview/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          stages: queryArg.stages,
          categories: queryArg.categories,
          tags: queryArg.tags,
          excluded_tags: queryArg.excludedTags,
          campaign_ids: queryArg.campaignIds,
          keyword: queryArg.keyword,
          sort: queryArg.sort,
        },
      }),
    }),
    subscriptionCampaigns: build.query<
      SubscriptionCampaignsApiResponse,
      SubscriptionCampaignsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/preview/subscriptions/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          stages: queryArg.stages,
          categories: queryArg.categories,
          tags: queryArg.tags,
          excluded_tags: queryArg.excludedTags,
          campaign_ids: queryArg.campaignIds,
          keyword: queryArg.keyword,
          sort: queryArg.sort,
        },
      }),
    }),
    campaign: build.query<CampaignApiResponse, CampaignApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
    likeCampaign: build.mutation<LikeCampaignApiResponse, LikeCampaignApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/likes/`,
        method: "POST",
      }),
    }),
    unlikeCampaign: build.mutation<
      UnlikeCampaignApiResponse,
      UnlikeCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/likes/`,
        method: "DELETE",
      }),
    }),
    campaignRewards: build.query<
      CampaignRewardsApiResponse,
      CampaignRewardsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/rewards/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
    experimentPreviews: build.query<
      ExperimentPreviewsApiResponse,
      ExperimentPreviewsApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/preview/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          keyword: queryArg.keyword,
          stage: queryArg.stage,
          place: queryArg.place,
          team_member_id: queryArg.teamMemberId,
          disabled: queryArg.disabled,
          show_in: queryArg.showIn,
          sort: queryArg.sort,
          direction: queryArg.direction,
        },
      }),
    }),
    experiment: build.query<ExperimentApiResponse, ExperimentApiArg>({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedContent };
export type SignOutApiResponse = unknown;
export type SignOutApiArg = void;
export type CategoriesApiResponse =
  /** status 200 Categories */ CategoriesAnswer;
export type CategoriesApiArg = {
  language?: Language;
  /** What a list offers: only what campaigns of these stages have, and how many */
  stages?: number[];
  /** Any of these */
  tags?: number[];
  /** None of these */
  excludedTags?: number[];
};
export type CampaignTagsApiResponse = /** status 200 Tags */ TagsAnswer;
export type CampaignTagsApiArg = {
  language?: Language;
  /** What a list offers: only what campaigns of these stages have, and how many */
  stages?: number[];
  /** Any of these */
  categories?: number[];
  /** None of these */
  excludedTags?: number[];
};
export type CampaignPreviewsApiResponse =
  /** status 200 Previews */ CampaignPreviewsAnswer;
export type CampaignPreviewsApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
  /** Comma-separated. Stage 0 is never listed here. */
  stages?: number[];
  /** Any of these */
  categories?: number[];
  /** Any of these */
  tags?: number[];
  /** None of these */
  excludedTags?: number[];
  campaignIds?: number[];
  /** Words that all have to occur in the title or descriptions, without regard to case or accents; those of one or two letters where a word begins */
  keyword?: string;
  /** Replaces the list's own order. `front_page` puts what staff have chosen for the home page first, in their order, and
    then the most popular; with a filter or a keyword it is `popular`.
     */
  sort?: "newest" | "ending" | "most_funded" | "popular" | "front_page";
};
export type SubscriptionCampaignsApiResponse =
  /** status 200 Previews */ CampaignPreviewsAnswer;
export type SubscriptionCampaignsApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
  /** Comma-separated. Stage 0 is never listed here. */
  stages?: number[];
  /** Any of these */
  categories?: number[];
  /** Any of these */
  tags?: number[];
  /** None of these */
  excludedTags?: number[];
  campaignIds?: number[];
  /** Words that all have to occur in the title or descriptions, without regard to case or accents; those of one or two letters where a word begins */
  keyword?: string;
  /** Replaces the list's own order. `front_page` puts what staff have chosen for the home page first, in their order, and
    then the most popular; with a filter or a keyword it is `popular`.
     */
  sort?: "newest" | "ending" | "most_funded" | "popular" | "front_page";
};
export type CampaignApiResponse = /** status 200 The campaign */ CampaignAnswer;
export type CampaignApiArg = {
  campaignId: number;
  language: Language;
};
export type LikeCampaignApiResponse =
  /** status 200 The count after it */ LikesAnswer;
export type LikeCampaignApiArg = {
  campaignId: number;
};
export type UnlikeCampaignApiResponse =
  /** status 200 The count after it */ LikesAnswer;
export type UnlikeCampaignApiArg = {
  campaignId: number;
};
export type CampaignRewardsApiResponse =
  /** status 200 Rewards */ RewardsAnswer;
export type CampaignRewardsApiArg = {
  campaignId: number;
  language: Language;
};
export type ExperimentPreviewsApiResponse =
  /** status 200 Previews */ ExperimentPreviewsAnswer;
export type ExperimentPreviewsApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
  /** Words that all have to occur in the title or descriptions, without regard to case or accents; those of one or two letters where a word begins */
  keyword?: string;
  stage?: number;
  place?: string;
  teamMemberId?: number;
  /** Only those that were taken off the site, for staff; without it they are in no list */
  disabled?: boolean;
  /** Only those whose flag is on */
  showIn?: "front_page" | "index";
  /** `alphabetical` is by title in the reader's language. `activity` (beyond the specification) puts what is happening
    first: running, evaluated, adopted, planned, ideas, ended, archived; `show_in` those shown in most places;
    `front_page` those that staff have chosen for the home page, in their order, then as `activity`. Every order ends
    with the id.
     */
  sort?:
    | "stage"
    | "likes"
    | "alphabetical"
    | "id"
    | "activity"
    | "short_description"
    | "owner_name"
    | "show_in"
    | "front_page";
  /** Of the order; without it likes and show_in of experiments and the campaigns of the table descend, others ascend */
  direction?: "asc" | "desc";
};
export type ExperimentApiResponse =
  /** status 200 The experiment */ ExperimentAnswer;
export type ExperimentApiArg = {
  experimentId: number;
  language: Language;
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
export type Category = {
  id: number;
  label: string;
  key?: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type CategoriesAnswer = {
  categories: Category[];
};
export type Language = string;
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type TagsAnswer = {
  tags: Tag[];
};
export type Slug = string;
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
export type CampaignPreviewsAnswer = {
  previews: CampaignPreview[];
  /** How many campaigns the list has on all its pages, exactly up to 100. Counting ends there, or just past this page when that is further; of a search it may end just past this page. */
  total: number;
  /** Present and true when counting ended before the list: it has `total` campaigns or more. */
  total_is_more?: boolean;
};
export type Acl = ("view" | "edit" | "admin")[];
export type CustomText = {
  value: string;
  format: "text" | "markdown";
  /** Made from the value on the server */
  html: string;
};
export type CustomTexts = {
  [key: string]: CustomText;
};
export type PublicVariation = {
  variation: number;
  field: "title" | "tagline" | "project_pic";
  language?: string;
  value: string;
};
export type OpensAs = 2 | 6;
export type HoldReason =
  "looked_into" | "rules" | "creator_asked" | "creator_blocked";
export type CampaignHold = {
  kind: HoldKind;
  since: string;
  reason: HoldReason;
  /** What staff have written for everybody, in the campaign's language; left out when the reason says it all */
  sentence?: string;
  tells_on?: Day;
};
export type CampaignMeta = {
  external_link_1?: string;
  hideFundingAmount: boolean;
  hideMemberCount: boolean;
  legal_creator_type?: string;
};
export type CampaignSettings = {
  contact_email: string;
  first_day_of_funding?: Day;
  last_day_of_funding?: Day;
  legal_creator?: string;
};
export type Version = number;
export type Campaign = CampaignPreview & {
  /** Plain text of the story */
  long_description: string;
  /** The story as HTML, sanitised on the server */
  html_description: string;
  creator_pic?: string;
  /** Empty or a video platform's address */
  video_url: string;
  my_relationships: "like"[];
  acl: Acl;
  funding_rule: "all_or_nothing" | "keep_what_is_raised";
  subscriptions_reached?: Count;
  /** Languages the campaign has texts in */
  languages: string[];
  /** What the cover shows */
  project_pic_alt?: string;
  custom_language?: CustomTexts;
  content_variations?: PublicVariation[];
  opens_as?: OpensAs;
  held?: CampaignHold;
  /** Nobody can pay to it just now, though it is open; absent otherwise */
  is_unpayable?: boolean;
  meta: CampaignMeta;
  settings: CampaignSettings;
  version: Version;
  counts: {
    rewards: Count;
    posts: Count;
    backers: Count;
  };
};
export type CampaignAnswer = {
  campaign: Campaign;
  acl: Acl;
};
export type LikesAnswer = {
  likes: Count;
  liked: boolean;
  /** The like is kept and counts once the person has confirmed their address (beyond the specification) */
  waits_for_email?: boolean;
};
export type RewardKind = "goods" | "service" | "digital" | "made_to_order";
export type RewardWithdrawal = {
  /** 0: not after the campaign has ended */
  days: number;
  /** What the days are counted from: when the reward was received, or when the campaign ended */
  starts: "delivery" | "contract";
};
export type AddedCost = {
  amount: Amount;
  description: string;
  /** Present and true when whoever chooses it is asked for no address: the reward is fetched, or comes by email */
  without_address?: boolean;
};
export type CustomQuestion = {
  key: string;
  /** ask_for_address asks for a postal address */
  text: string;
};
export type Reward = {
  kind: RewardKind;
  withdrawal: RewardWithdrawal;
  reward_id: number;
  /** Another one whenever price, VAT, added costs, texts, questions, kind or delivery change; send it with a pledge */
  reward_version: number;
  title: string;
  description: string;
  /** File name under /media or empty */
  image: string;
  /** What the image shows, for who does not see it; may be empty */
  image_alt: string;
  /** Whole major units */
  amount: number;
  /** 0 is unlimited */
  stock: number;
  /** Paid and held together */
  stock_reserved: number;
  /** How many one pledge may take at most; there may be fewer left */
  quantity_max: number;
  active: 0 | 1;
  vat_percentage?: number;
  /** Month of delivery, YYYY-MM, or the first and the last, YYYY-MM/YYYY-MM; or empty */
  delivery?: string;
  added_costs: AddedCost[];
  custom_questions: CustomQuestion[];
  asks_for_address: boolean;
  backers: Count;
};
export type RewardsAnswer = {
  rewards: Reward[];
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
export type ExperimentPreviewsAnswer = {
  previews: ExperimentPreview[];
  total: Count;
};
export type Link = {
  url: string;
  title: string;
};
export type StageDates = {
  stage: number;
  since: string;
}[];
export type ExperimentMember = {
  user_id: number;
  name: string;
  /** File name under /media */
  image: string;
  short_description: string;
  /** They have erased their account */
  is_former?: boolean;
};
export type ImageCollection = {
  [key: string]: {
    /** A path of the platform */
    url: string;
  };
};
export type GeographicLocation = {
  place: string;
  latitude?: number;
  longitude?: number;
};
export type CrowdPart = {
  /** Which platform the campaign is on */
  api?: "talkoot";
  campaign_id?: number;
  raised: Amount;
  /** The campaign hides its amount */
  hidden?: boolean;
  campaign?: {
    title: string;
    slug: Slug;
    /** File name under /media */
    image: string;
    stage: number;
  };
};
export type FundingPart = {
  raised: Amount;
};
export type OrganizationsPart = {
  raised: Amount;
  /** The sum by organisation, where the team names them */
  list: {
    name: string;
    raised: Amount;
  }[];
};
export type ExperimentFunding = {
  goal: Amount;
  currency: string;
  /** All parts together; the crowd's is left out while its campaign hides it */
  raised: Amount;
  sources: {
    crowd: CrowdPart;
    state: FundingPart;
    organizations: OrganizationsPart;
  };
};
export type Experiment = ExperimentPreview & {
  html_description: string;
  tags: Tag[];
  links: Link[];
  disabled: boolean;
  my_relationships: "like"[];
  stage_dates: StageDates;
  team: ExperimentMember[];
  custom_language: CustomTexts;
  image_collection: ImageCollection;
  /** What the picture shows, for those who do not see it */
  image_alt: string;
  geographic_location: GeographicLocation;
  funding?: ExperimentFunding;
};
export type ExperimentAnswer = {
  experiment: Experiment;
  acl: Acl;
};
export const {
  useSignOutMutation,
  useCategoriesQuery,
  useLazyCategoriesQuery,
  useCampaignTagsQuery,
  useLazyCampaignTagsQuery,
  useCampaignPreviewsQuery,
  useLazyCampaignPreviewsQuery,
  useSubscriptionCampaignsQuery,
  useLazySubscriptionCampaignsQuery,
  useCampaignQuery,
  useLazyCampaignQuery,
  useLikeCampaignMutation,
  useUnlikeCampaignMutation,
  useCampaignRewardsQuery,
  useLazyCampaignRewardsQuery,
  useExperimentPreviewsQuery,
  useLazyExperimentPreviewsQuery,
  useExperimentQuery,
  useLazyExperimentQuery,
} = injectedRtkApi;
