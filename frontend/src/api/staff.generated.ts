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
export type Amount = number;
export type CampaignRow = {
  campaign_id: number;
  slug: Slug;
  title: string;
  /** Of the title */
  language: string;
  creator: string;
  stage: number;
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
} = injectedRtkApi;
