import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    createExperiment: build.mutation<
      CreateExperimentApiResponse,
      CreateExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/`,
        method: "POST",
        body: queryArg.newExperiment,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    experimentTags: build.query<
      ExperimentTagsApiResponse,
      ExperimentTagsApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/tags/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
    experimentAdmin: build.query<
      ExperimentAdminApiResponse,
      ExperimentAdminApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/admin/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          here: queryArg.here,
        },
      }),
    }),
    experimentHistory: build.query<
      ExperimentHistoryApiResponse,
      ExperimentHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/admin/history/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    experimentHistoryValue: build.query<
      ExperimentHistoryValueApiResponse,
      ExperimentHistoryValueApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/admin/history/${encodeURIComponent(String(queryArg.changeId))}/${encodeURIComponent(String(queryArg.path))}/`,
      }),
    }),
    changeExperimentSettings: build.mutation<
      ChangeExperimentSettingsApiResponse,
      ChangeExperimentSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/settings/`,
        method: "PATCH",
        body: queryArg.experimentSettingsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeExperimentLanguage: build.mutation<
      ChangeExperimentLanguageApiResponse,
      ChangeExperimentLanguageApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/language/${encodeURIComponent(String(queryArg.language))}/`,
        method: "PATCH",
        body: queryArg.experimentTextsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeExperimentCustomLanguage: build.mutation<
      ChangeExperimentCustomLanguageApiResponse,
      ChangeExperimentCustomLanguageApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/custom_language/${encodeURIComponent(String(queryArg.language))}/`,
        method: "PATCH",
        body: queryArg.customLanguageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeExperimentImage: build.mutation<
      ChangeExperimentImageApiResponse,
      ChangeExperimentImageApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/image_collection/`,
        method: "PATCH",
        body: queryArg.experimentImageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeExperimentFunding: build.mutation<
      ChangeExperimentFundingApiResponse,
      ChangeExperimentFundingApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/funding/`,
        method: "PATCH",
        body: queryArg.experimentFundingChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    setExperimentTags: build.mutation<
      SetExperimentTagsApiResponse,
      SetExperimentTagsApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/tags/`,
        method: "POST",
        body: queryArg.tagsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    setExperimentLinks: build.mutation<
      SetExperimentLinksApiResponse,
      SetExperimentLinksApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/links/`,
        method: "POST",
        body: queryArg.experimentLinksChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    moveExperiment: build.mutation<
      MoveExperimentApiResponse,
      MoveExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/stagemoves/`,
        method: "POST",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    likeExperiment: build.mutation<
      LikeExperimentApiResponse,
      LikeExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/likes/`,
        method: "POST",
      }),
    }),
    unlikeExperiment: build.mutation<
      UnlikeExperimentApiResponse,
      UnlikeExperimentApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/likes/`,
        method: "DELETE",
      }),
    }),
    places: build.query<PlacesApiResponse, PlacesApiArg>({
      query: (queryArg) => ({
        url: `/places/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          search: queryArg.search,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedExperiments };
export type CreateExperimentApiResponse =
  /** status 201 Begun */ CreatedExperimentAnswer;
export type CreateExperimentApiArg = {
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newExperiment: NewExperiment;
};
export type ExperimentTagsApiResponse = /** status 200 Tags */ TagsAnswer;
export type ExperimentTagsApiArg = {
  language: Language;
};
export type ExperimentAdminApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ExperimentAdminApiArg = {
  experimentId: number;
  language: Language;
  /** The reader has the editor open, with the focus in this part (empty, in none). The answer says who else has, and theirs says it of the reader for less than a minute */
  here?: string;
};
export type ExperimentHistoryApiResponse =
  /** status 200 Changes */ HistoryAnswer;
export type ExperimentHistoryApiArg = {
  experimentId: number;
  limit?: number;
  offset?: number;
};
export type ExperimentHistoryValueApiResponse =
  /** status 200 The value */ HistoryValueAnswer;
export type ExperimentHistoryValueApiArg = {
  experimentId: number;
  changeId: number;
  /** The field as the history names it */
  path: string;
};
export type ChangeExperimentSettingsApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ChangeExperimentSettingsApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  experimentSettingsChange: ExperimentSettingsChange;
};
export type ChangeExperimentLanguageApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ChangeExperimentLanguageApiArg = {
  experimentId: number;
  language: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  experimentTextsChange: ExperimentTextsChange;
};
export type ChangeExperimentCustomLanguageApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ChangeExperimentCustomLanguageApiArg = {
  experimentId: number;
  language: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  customLanguageChange: CustomLanguageChange;
};
export type ChangeExperimentImageApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ChangeExperimentImageApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  experimentImageChange: ExperimentImageChange;
};
export type ChangeExperimentFundingApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type ChangeExperimentFundingApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  experimentFundingChange: ExperimentFundingChange;
};
export type SetExperimentTagsApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type SetExperimentTagsApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  tagsChange: TagsChange;
};
export type SetExperimentLinksApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type SetExperimentLinksApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  experimentLinksChange: ExperimentLinksChange;
};
export type MoveExperimentApiResponse =
  /** status 200 As it is now */ ExperimentAdminAnswer;
export type MoveExperimentApiArg = {
  experimentId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type LikeExperimentApiResponse =
  /** status 200 The count after it */ LikesAnswer;
export type LikeExperimentApiArg = {
  experimentId: number;
};
export type UnlikeExperimentApiResponse =
  /** status 200 The count after it */ LikesAnswer;
export type UnlikeExperimentApiArg = {
  experimentId: number;
};
export type PlacesApiResponse = /** status 200 Places */ PlacesAnswer;
export type PlacesApiArg = {
  language: Language;
  /** Without one nothing is found */
  search?: string;
};
export type Slug = string;
export type Version = number;
export type CreatedExperimentAnswer = {
  experiment: {
    experiment_id: number;
    slug: Slug;
    version: Version;
  };
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
export type ExperimentTitle = string;
export type GeographicLocation = {
  place: string;
  latitude?: number;
  longitude?: number;
};
export type NewExperiment = {
  /** It begins as an idea */
  stage?: 0;
  title?: ExperimentTitle;
  short_description?: string;
  /** The one it is written in; the reader's when it is left out */
  language?: "fi" | "en" | "sv";
  geographic_location?: GeographicLocation;
};
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type TagsAnswer = {
  tags: Tag[];
};
export type Language = string;
export type StageDates = {
  stage: number;
  since: string;
}[];
export type RichText = {
  type: "doc";
  content: {
    [key: string]: any;
  }[];
};
export type ExperimentTexts = {
  title: string;
  short_description: string;
  json_description: RichText;
  image_alt: string;
};
export type ExperimentTextsByLanguage = {
  fi?: ExperimentTexts;
  en?: ExperimentTexts;
  sv?: ExperimentTexts;
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
export type ShowIn = {
  [key: string]: boolean;
};
export type Link = {
  url: string;
  title: string;
};
export type ExperimentMember = {
  user_id: number;
  name: string;
  /** File name under /media */
  image: string;
  short_description: string;
  /** They have erased their account */
  is_former?: boolean;
};
export type ExperimentInvitee = {
  user_id: number;
  name: string;
  /** File name under /media */
  image: string;
  /** A member, who is to own it */
  as_owner: boolean;
  invited_at: string;
  expires_at: string;
};
export type Count = number;
export type Amount = number;
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
export type ExperimentAdmin = {
  experiment_id: number;
  slug: Slug;
  version: Version;
  stage: number;
  stage_dates: StageDates;
  /** What is missing for the next stage, as the fields are called in changes */
  stage_needs: string[];
  /** It has what visitors need, a title in its own language */
  open: boolean;
  disabled: boolean;
  /** The one it was first written in */
  language: string;
  texts: ExperimentTextsByLanguage;
  custom_language: {
    fi?: CustomTexts;
    en?: CustomTexts;
    sv?: CustomTexts;
  };
  show_in: ShowIn;
  geographic_location: GeographicLocation;
  /** File name under /media */
  image: string;
  /** It is the drawn one */
  image_is_drawn: boolean;
  tags: Tag[];
  links: Link[];
  team: ExperimentMember[];
  /** Of people who have not agreed yet */
  invitations: ExperimentInvitee[];
  like_count: Count;
  funding: ExperimentFunding;
};
export type Writer = {
  user_id: number;
  name: string;
  image: string;
  /** The part that has the focus, as the editor names it; empty: none */
  place: string;
};
export type Writers = Writer[];
export type ExperimentAdminAnswer = {
  experiment: ExperimentAdmin;
  writers?: Writers;
};
export type HistoryField = {
  /** The field's name in the contract */
  path: string;
  /** Left out, as is after, where it is long (a story) or not for showing. Of a team the names of its people, empty for an account that was erased */
  before?: any;
  after?: any;
  /** The value before is left out because it is long; campaignHistoryValue has it */
  long: boolean;
};
export type HistoryChange = {
  id: number;
  at: string;
  by: {
    user_id?: number;
    /** Empty for what happened by itself */
    name: string;
    actor: "user" | "operator" | "scheduler" | "payments" | "seed";
  };
  action: string;
  entity: "campaign" | "reward" | "post" | "experiment";
  entity_id: number;
  fields: HistoryField[];
};
export type HistoryAnswer = {
  changes: HistoryChange[];
  total: Count;
};
export type HistoryValueAnswer = {
  before: any;
  /** Left out where it is the value of now */
  after?: any;
};
export type ExperimentSettingsChange = {
  /** A team's the next one; staff may set any, which mends a mistake */
  stage?: number;
  show_in?: {
    /** Staff's to set */
    front_page?: boolean;
    index?: boolean;
  };
  /** Takes it off the site; an admin brings it back */
  disabled?: boolean;
  /** Has to be true with disabled: true */
  agree?: boolean;
  /** The experiment's own; it needs a title there */
  language?: "fi" | "en" | "sv";
  geographic_location?: GeographicLocation;
  /** Ids of people, the whole list, the owner first. Who is new in it is in the index of people, and is invited; so is a member who is put first. Both are in it, or its owner, once they have agreed */
  team?: number[];
  /** Ids of the people who stay invited, the whole list; the others' invitations are withdrawn */
  invitations?: number[];
};
export type WrittenRichText = RichText;
export type ExperimentTextsChange = {
  title?: ExperimentTitle;
  short_description?: string;
  json_description?: WrittenRichText;
  image_alt?: string;
};
export type CustomLanguageChange = {
  [key: string]: {
    value: string;
    format?: "text" | "markdown";
  };
};
export type ExperimentImageChange = {
  image_collection: {
    cover: {
      filename: string;
    };
  };
};
export type WantedAmount = number;
export type WantedOrganization = {
  name: string;
  raised: WantedAmount;
};
export type ExperimentFundingChange = {
  goal?: WantedAmount;
  currency?: "EUR" | "SEK" | "NOK" | "DKK";
  sources?: {
    crowd?: {
      api?: "talkoot";
      /** 0 unlinks the campaign */
      campaign_id: number;
    };
    state?: {
      raised: WantedAmount;
    };
    organizations?: {
      /** Their sum, where none is named; with a list it is the list's */
      raised?: WantedAmount;
      list?: WantedOrganization[];
    };
  };
};
export type TagsChange = {
  /** At most 10 different ones */
  tags: number[];
};
export type ExperimentLinksChange = {
  links: {
    /** A web address, also without https://, or an email address */
    url: string;
    title: string;
  }[];
};
export type LikesAnswer = {
  likes: Count;
  liked: boolean;
  /** The like is kept and counts once the person has confirmed their address (beyond the specification) */
  waits_for_email?: boolean;
};
export type Place = {
  place: string;
  latitude: number;
  longitude: number;
};
export type PlacesAnswer = {
  places: Place[];
};
export const {
  useCreateExperimentMutation,
  useExperimentTagsQuery,
  useLazyExperimentTagsQuery,
  useExperimentAdminQuery,
  useLazyExperimentAdminQuery,
  useExperimentHistoryQuery,
  useLazyExperimentHistoryQuery,
  useExperimentHistoryValueQuery,
  useLazyExperimentHistoryValueQuery,
  useChangeExperimentSettingsMutation,
  useChangeExperimentLanguageMutation,
  useChangeExperimentCustomLanguageMutation,
  useChangeExperimentImageMutation,
  useChangeExperimentFundingMutation,
  useSetExperimentTagsMutation,
  useSetExperimentLinksMutation,
  useMoveExperimentMutation,
  useLikeExperimentMutation,
  useUnlikeExperimentMutation,
  usePlacesQuery,
  useLazyPlacesQuery,
} = injectedRtkApi;
