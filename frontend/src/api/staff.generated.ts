import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createCategory: build.mutation<
      CreateCategoryApiResponse,
      CreateCategoryApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/categories/`,
        method: "POST",
        body: queryArg.labelsChange,
      }),
    }),
    categoriesAdmin: build.query<
      CategoriesAdminApiResponse,
      CategoriesAdminApiArg
    >({
      query: () => ({ url: `/campaigns/categories/admin/` }),
    }),
    orderCategories: build.mutation<
      OrderCategoriesApiResponse,
      OrderCategoriesApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/categories/order/`,
        method: "POST",
        body: queryArg.categoriesOrder,
      }),
    }),
    changeCategory: build.mutation<
      ChangeCategoryApiResponse,
      ChangeCategoryApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/categories/${encodeURIComponent(String(queryArg.categoryId))}/`,
        method: "PATCH",
        body: queryArg.labelsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deleteCategory: build.mutation<
      DeleteCategoryApiResponse,
      DeleteCategoryApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/categories/${encodeURIComponent(String(queryArg.categoryId))}/`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    createTag: build.mutation<CreateTagApiResponse, CreateTagApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/tags/`,
        method: "POST",
        body: queryArg.labelsChange,
      }),
    }),
    tagsAdmin: build.query<TagsAdminApiResponse, TagsAdminApiArg>({
      query: () => ({ url: `/campaigns/tags/admin/` }),
    }),
    changeTag: build.mutation<ChangeTagApiResponse, ChangeTagApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/tags/${encodeURIComponent(String(queryArg.tagId))}/`,
        method: "PATCH",
        body: queryArg.labelsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    retireTag: build.mutation<RetireTagApiResponse, RetireTagApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/tags/${encodeURIComponent(String(queryArg.tagId))}/`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          into: queryArg.into,
        },
      }),
    }),
    frontPage: build.query<FrontPageApiResponse, FrontPageApiArg>({
      query: (queryArg) => ({
        url: `/front_page/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
    setFrontPage: build.mutation<SetFrontPageApiResponse, SetFrontPageApiArg>({
      query: (queryArg) => ({
        url: `/front_page/${encodeURIComponent(String(queryArg.language))}/`,
        method: "POST",
        body: queryArg.frontPageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    campaignTable: build.query<CampaignTableApiResponse, CampaignTableApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/admin/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          stages: queryArg.stages,
          keyword: queryArg.keyword,
          sort: queryArg.sort,
          direction: queryArg.direction,
        },
      }),
    }),
    holdCampaign: build.mutation<HoldCampaignApiResponse, HoldCampaignApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/hold/`,
        method: "PUT",
        body: queryArg.campaignHoldChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    liftCampaignHold: build.mutation<
      LiftCampaignHoldApiResponse,
      LiftCampaignHoldApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/hold/`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    payOutStoppedCampaign: build.mutation<
      PayOutStoppedCampaignApiResponse,
      PayOutStoppedCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/payout/`,
        method: "PUT",
        body: queryArg.campaignPayoutChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedStaff };
export type CreateCategoryApiResponse =
  /** status 201 As it is now */ CategoryAdminAnswer;
export type CreateCategoryApiArg = {
  labelsChange: LabelsChange;
};
export type CategoriesAdminApiResponse =
  /** status 200 Categories */ CategoriesAdminAnswer;
export type CategoriesAdminApiArg = void;
export type OrderCategoriesApiResponse =
  /** status 200 Categories */ CategoriesAdminAnswer;
export type OrderCategoriesApiArg = {
  categoriesOrder: CategoriesOrder;
};
export type ChangeCategoryApiResponse =
  /** status 200 As it is now */ CategoryAdminAnswer;
export type ChangeCategoryApiArg = {
  categoryId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  labelsChange: LabelsChange;
};
export type DeleteCategoryApiResponse = unknown;
export type DeleteCategoryApiArg = {
  categoryId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type CreateTagApiResponse =
  /** status 201 As it is now */ TagAdminAnswer;
export type CreateTagApiArg = {
  labelsChange: LabelsChange;
};
export type TagsAdminApiResponse =
  /** status 200 Tags, in the order in which they were made */ TagsAdminAnswer;
export type TagsAdminApiArg = void;
export type ChangeTagApiResponse =
  /** status 200 As it is now */ TagAdminAnswer;
export type ChangeTagApiArg = {
  tagId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  labelsChange: LabelsChange;
};
export type RetireTagApiResponse = unknown;
export type RetireTagApiArg = {
  tagId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  /** The tag that takes its place */
  into?: number;
};
export type FrontPageApiResponse =
  /** status 200 As it is now */ FrontPageAnswer;
export type FrontPageApiArg = {
  language: Language;
};
export type SetFrontPageApiResponse =
  /** status 200 As it is now */ FrontPageAnswer;
export type SetFrontPageApiArg = {
  language: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  frontPageChange: FrontPageChange;
};
export type CampaignTableApiResponse =
  /** status 200 Campaigns */ CampaignTableAnswer;
export type CampaignTableApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
  /** Comma-separated */
  stages?: number[];
  /** Words that all have to occur in the title, the creator's name or the id */
  keyword?: string;
  /** What has no deadline comes last */
  sort?: "id" | "title" | "creator" | "raised" | "deadline";
  /** Of the order; without it likes and show_in of experiments and the campaigns of the table descend, others ascend */
  direction?: "asc" | "desc";
};
export type HoldCampaignApiResponse =
  /** status 200 As it is now */ CampaignAdminAnswer;
export type HoldCampaignApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignHoldChange: CampaignHoldChange;
};
export type LiftCampaignHoldApiResponse =
  /** status 200 As it is now */ CampaignAdminAnswer;
export type LiftCampaignHoldApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type PayOutStoppedCampaignApiResponse =
  /** status 200 As it is now */ CampaignAdminAnswer;
export type PayOutStoppedCampaignApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignPayoutChange: CampaignPayoutChange;
};
export type Labels = {
  fi?: string;
  en?: string;
  sv?: string;
};
export type Count = number;
export type Version = number;
export type CategoryAdmin = {
  category_id: number;
  labels: Labels;
  campaigns: Count;
  version: Version;
};
export type CategoryAdminAnswer = {
  category: CategoryAdmin;
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
export type LabelsChange = {
  /** By language; a name that is left out stays, an empty one is taken away */
  labels: {
    fi?: string;
    en?: string;
    sv?: string;
  };
};
export type CategoriesAdminAnswer = {
  categories: CategoryAdmin[];
};
export type CategoriesOrder = {
  /** All of them */
  categories: number[];
  /** The order from which they were moved */
  seen: number[];
};
export type TagAdmin = {
  tag_id: number;
  labels: Labels;
  campaigns: Count;
  experiments: Count;
  people: Count;
  version: Version;
};
export type TagAdminAnswer = {
  tag: TagAdmin;
};
export type TagsAdminAnswer = {
  tags: TagAdmin[];
};
export type Slug = string;
export type Day = string;
export type FrontPagePick = {
  /** Of the campaign or experiment */
  id: number;
  slug: Slug;
  title: string;
  /** Of the title */
  language: string;
  stage: number;
  first_day?: Day;
  last_day?: Day;
  /** Whether the home page has it: its days are still to come, are over, or it takes no support (a draft, ended) or is not listed */
  shown: "now" | "later" | "over" | "not_open";
};
export type FrontPageAnswer = {
  campaigns: FrontPagePick[];
  experiments: FrontPagePick[];
  version: Version;
};
export type Language = string;
export type FrontPageChoice = {
  id: number;
  first_day?: Day;
  last_day?: Day;
};
export type FrontPageChange = {
  campaigns?: FrontPageChoice[];
  experiments?: FrontPageChoice[];
};
export type HoldKind = "on_hold" | "stopped";
export type StoppedPayout = "waits" | "goes";
export type Amount = number;
export type CampaignRow = {
  campaign_id: number;
  slug: Slug;
  title: string;
  /** Of the title */
  language: string;
  creator: string;
  stage: number;
  hold?: HoldKind;
  payout?: StoppedPayout;
  review: "none" | "requested" | "approved" | "changes_requested";
  currency: string;
  raised: Amount;
  goal: Amount;
  funding_deadline?: string;
  version: Version;
};
export type CampaignTableAnswer = {
  campaigns: CampaignRow[];
  /** How many there are on all pages, exactly */
  total: number;
  /** How many campaigns the keyword finds in each stage, from 0 */
  stages: number[];
};
export type PartName =
  | "form"
  | "title"
  | "legal_creator"
  | "goal"
  | "funding_rule"
  | "dates"
  | "goals"
  | "tagline"
  | "short_description"
  | "cover"
  | "video"
  | "story"
  | "about_creator"
  | "creator"
  | "creator_pic"
  | "team"
  | "contact"
  | "link"
  | "place"
  | "category"
  | "tags"
  | "custom_texts"
  | "hidden"
  | "variations"
  | "reward"
  | "account";
export type PartKind = "free" | "to_be_seen" | "back_to_queue" | "fixed";
export type CampaignPart = {
  part: PartName;
  kind: PartKind;
  /** As the changes name them, of texts without their language */
  fields: string[];
};
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
export type OpensAs = 2 | 6;
export type RichText = {
  type: "doc";
  content: {
    [key: string]: any;
  }[];
};
export type CampaignTexts = {
  title: string;
  tagline: string;
  short_description: string;
  about_creator: string;
  json_description: RichText;
  /** What the cover shows, for those who do not see it */
  project_pic_alt: string;
  updated_at: string;
};
export type CampaignTextsByLanguage = {
  fi?: CampaignTexts;
  en?: CampaignTexts;
  sv?: CampaignTexts;
};
export type CustomText = {
  value: string;
  format: "text" | "markdown";
  /** Made from the value on the server */
  html: string;
};
export type CustomTexts = {
  [key: string]: CustomText;
};
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type FundingRule = "all_or_nothing" | "keep_what_is_raised";
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
export type CampaignAdminSettings = CampaignSettings & {
  /** At provider B */
  payment_wallet_id?: string;
  /** At provider A */
  payment_account_id?: string;
};
export type SubscriptionGoalText = {
  title: string;
  description: string;
};
export type SubscriptionGoalTexts = {
  goal_id: number;
  target: number;
  /** By language */
  texts: {
    [key: string]: SubscriptionGoalText;
  };
};
export type PaymentAccount = {
  stripe_account_id?: string;
  mangopay_user_id?: string;
  mangopay_wallet_id?: string;
};
export type TeamMember = {
  user_id: number;
  email: string;
  /** They have erased their account */
  is_former: boolean;
  name: string;
  image: string;
  meta: PaymentAccount;
};
export type TeamInvitation = {
  email: string;
  invited_at: string;
  expires_at: string;
  /** A member is asked to become the creator */
  as_creator: boolean;
};
export type ReviewBarred = "team" | "asker";
export type ChecklistItem = {
  key:
    | "title"
    | "tagline"
    | "story"
    | "cover"
    | "goal"
    | "dates"
    | "offer"
    | "contact"
    | "legal_creator"
    | "alt_texts"
    | "translations"
    | "payment_account";
  done: boolean;
  /** Without it no review can be asked for; the others are advice */
  needed: boolean;
  have?: Count;
  of?: Count;
  /** The one that is missing or lags behind */
  language?: string;
  behind_days?: Count;
};
export type ReviewPart =
  | "title"
  | "tagline"
  | "short_description"
  | "cover"
  | "video"
  | "story"
  | "about_creator"
  | "goal"
  | "funding_rule"
  | "dates"
  | "rewards"
  | "goals"
  | "team"
  | "legal_creator"
  | "contact"
  | "category"
  | "tags"
  | "custom_texts"
  | "variations"
  | "whole";
export type ReviewNote = {
  note_id: number;
  part: ReviewPart;
  text: string;
  /** The words of the story that it is about, or empty */
  quote: string;
  mended: boolean;
  by: string;
  at: string;
  round: number;
};
export type ReviewEvent = {
  at: string;
  by: string;
  /** changed: something that was approved was changed and brought it back into the queue; undone: and was put back */
  event:
    | "requested"
    | "withdrawn"
    | "approved"
    | "changes_requested"
    | "changed"
    | "undone";
  notes?: Count;
  mended?: Count;
};
export type Review = {
  state: "none" | "requested" | "approved" | "changes_requested";
  /** How many times it has been asked for */
  round: number;
  asked_at?: string;
  answer_by?: Day;
  barred?: ReviewBarred;
  checklist: ChecklistItem[];
  notes: ReviewNote[];
  /** Latest first */
  history: ReviewEvent[];
};
export type ContentVariation = {
  /** 0 is the campaign's own */
  variation: number;
  letter: string;
  value: string;
  visitors: Count;
  paid: Count;
  rate?: number;
  /** Lower end of the 95 % interval */
  low?: number;
  high?: number;
  /** The probability that it is the best one */
  best?: number;
};
export type ContentExperiment = {
  field: "title" | "tagline" | "project_pic";
  /** Left out for a picture */
  language?: string;
  started_at: string;
  /** The campaign's own first */
  variations: ContentVariation[];
  visitors: Count;
  paid: Count;
  /** How many payments are missing before rates are told */
  missing: number;
  /** One is the best with 95 % or more */
  conclusive: boolean;
};
export type CampaignAdmin = {
  campaign_id: number;
  /** What becomes of changes of each part in its stage */
  parts: CampaignPart[];
  slug: Slug;
  version: Version;
  stage: number;
  held?: CampaignHold;
  opens_as: OpensAs;
  /** The one it was first written in */
  language: string;
  texts: CampaignTextsByLanguage;
  custom_language: {
    fi?: CustomTexts;
    en?: CustomTexts;
    sv?: CustomTexts;
  };
  /** File name under /media; empty when it is drawn from the title */
  project_pic: string;
  creator_pic: string;
  categories: number[];
  tags: Tag[];
  place: string;
  currency: string;
  min_goal: Amount;
  target_goal: Amount;
  funding_rule: FundingRule;
  video_url: string;
  meta: CampaignMeta;
  settings: CampaignAdminSettings;
  subscriptions_goals: SubscriptionGoalTexts[];
  team: TeamMember[];
  invitations: TeamInvitation[];
  review: Review;
  content_experiment?: ContentExperiment;
};
export type Writer = {
  user_id: number;
  name: string;
  image: string;
  /** The part that has the focus, as the editor names it; empty: none */
  place: string;
};
export type Writers = Writer[];
export type CampaignAdminAnswer = {
  campaign: CampaignAdmin;
  writers?: Writers;
};
export type CampaignHoldChange = {
  kind: HoldKind;
  reason: "looked_into" | "rules" | "creator_asked";
  /** For everybody, in the campaign's language */
  sentence?: string;
  tells_on?: Day;
};
export type CampaignPayoutChange = {
  payout: StoppedPayout;
};
export const {
  useCreateCategoryMutation,
  useCategoriesAdminQuery,
  useLazyCategoriesAdminQuery,
  useOrderCategoriesMutation,
  useChangeCategoryMutation,
  useDeleteCategoryMutation,
  useCreateTagMutation,
  useTagsAdminQuery,
  useLazyTagsAdminQuery,
  useChangeTagMutation,
  useRetireTagMutation,
  useFrontPageQuery,
  useLazyFrontPageQuery,
  useSetFrontPageMutation,
  useCampaignTableQuery,
  useLazyCampaignTableQuery,
  useHoldCampaignMutation,
  useLiftCampaignHoldMutation,
  usePayOutStoppedCampaignMutation,
} = injectedRtkApi;
