import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownProfile: build.query<OwnProfileApiResponse, OwnProfileApiArg>({
      query: (queryArg) => ({
        url: `/users/me/profile`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeProfile: build.mutation<
      ChangeProfileApiResponse,
      ChangeProfileApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/profile`,
        method: "PATCH",
        body: queryArg.profileChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeProfileImage: build.mutation<
      ChangeProfileImageApiResponse,
      ChangeProfileImageApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/profile/image_collection`,
        method: "PATCH",
        body: queryArg.profileImageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    setProfileLinks: build.mutation<
      SetProfileLinksApiResponse,
      SetProfileLinksApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/links/`,
        method: "POST",
        body: queryArg.linksChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    setProfileSkills: build.mutation<
      SetProfileSkillsApiResponse,
      SetProfileSkillsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/skills/`,
        method: "POST",
        body: queryArg.skillsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    setProfileTags: build.mutation<
      SetProfileTagsApiResponse,
      SetProfileTagsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/tags/`,
        method: "POST",
        body: queryArg.tagsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeSettings: build.mutation<
      ChangeSettingsApiResponse,
      ChangeSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/settings/`,
        method: "PATCH",
        body: queryArg.settingsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    userPreviews: build.query<UserPreviewsApiResponse, UserPreviewsApiArg>({
      query: (queryArg) => ({
        url: `/users/preview/`,
        params: {
          language: queryArg.language,
          limit: queryArg.limit,
          offset: queryArg.offset,
          keyword: queryArg.keyword,
          ids: queryArg.ids,
          tags: queryArg.tags,
          sort: queryArg.sort,
        },
      }),
    }),
    userTags: build.query<UserTagsApiResponse, UserTagsApiArg>({
      query: (queryArg) => ({
        url: `/users/tags/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    userProfile: build.query<UserProfileApiResponse, UserProfileApiArg>({
      query: (queryArg) => ({
        url: `/users/${encodeURIComponent(String(queryArg.userId))}/profile`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    peopleAdmin: build.query<PeopleAdminApiResponse, PeopleAdminApiArg>({
      query: (queryArg) => ({
        url: `/users/admin/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          keyword: queryArg.keyword,
          state: queryArg.state,
        },
      }),
    }),
    personAdmin: build.query<PersonAdminApiResponse, PersonAdminApiArg>({
      query: (queryArg) => ({
        url: `/users/${encodeURIComponent(String(queryArg.userId))}/admin/`,
      }),
    }),
    changePersonAdmin: build.mutation<
      ChangePersonAdminApiResponse,
      ChangePersonAdminApiArg
    >({
      query: (queryArg) => ({
        url: `/users/${encodeURIComponent(String(queryArg.userId))}/admin/`,
        method: "PATCH",
        body: queryArg.personAdminChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    auditTrail: build.query<AuditTrailApiResponse, AuditTrailApiArg>({
      query: (queryArg) => ({
        url: `/audit/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          entity: queryArg.entity,
          entity_id: queryArg.entityId,
          actor: queryArg.actor,
          from: queryArg["from"],
          to: queryArg.to,
        },
      }),
    }),
    acceptExperimentInvitation: build.mutation<
      AcceptExperimentInvitationApiResponse,
      AcceptExperimentInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/invitation/`,
        method: "POST",
      }),
    }),
    declineExperimentInvitation: build.mutation<
      DeclineExperimentInvitationApiResponse,
      DeclineExperimentInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/experiments/${encodeURIComponent(String(queryArg.experimentId))}/invitation/`,
        method: "DELETE",
      }),
    }),
    ownInvitations: build.query<
      OwnInvitationsApiResponse,
      OwnInvitationsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/invitations/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedPeople };
export type OwnProfileApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type OwnProfileApiArg = {
  language?: Language;
};
export type ChangeProfileApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type ChangeProfileApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  profileChange: ProfileChange;
};
export type ChangeProfileImageApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type ChangeProfileImageApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  profileImageChange: ProfileImageChange;
};
export type SetProfileLinksApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type SetProfileLinksApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  linksChange: LinksChange;
};
export type SetProfileSkillsApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type SetProfileSkillsApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  skillsChange: SkillsChange;
};
export type SetProfileTagsApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type SetProfileTagsApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  tagsChange: TagsChange;
};
export type ChangeSettingsApiResponse =
  /** status 200 The profile, as it is now */ ProfileAnswer;
export type ChangeSettingsApiArg = {
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  settingsChange: SettingsChange;
};
export type UserPreviewsApiResponse =
  /** status 200 Previews */ UserPreviewsAnswer;
export type UserPreviewsApiArg = {
  language?: Language;
  limit?: number;
  offset?: number;
  /** Words that all have to occur in the name or short description, without regard to case or accents; those of one or two letters where a word begins */
  keyword?: string;
  /** Any of these people */
  ids?: number[];
  /** Any of these */
  tags?: number[];
  sort?: "name" | "newest";
};
export type UserTagsApiResponse = /** status 200 Tags */ TagsAnswer;
export type UserTagsApiArg = {
  language?: Language;
};
export type UserProfileApiResponse =
  /** status 200 The profile */ PublicProfileAnswer;
export type UserProfileApiArg = {
  userId: number;
  language?: Language;
};
export type PeopleAdminApiResponse =
  /** status 200 Accounts */ PeopleAdminAnswer;
export type PeopleAdminApiArg = {
  limit?: number;
  offset?: number;
  /** Words that all have to occur in the name or email */
  keyword?: string;
  state?: "staff" | "verified" | "blocked";
};
export type PersonAdminApiResponse =
  /** status 200 As it is now */ PersonAdminAnswer;
export type PersonAdminApiArg = {
  userId: number;
};
export type ChangePersonAdminApiResponse =
  /** status 200 As it is now */ PersonAdminAnswer;
export type ChangePersonAdminApiArg = {
  userId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  personAdminChange: PersonAdminChange;
};
export type AuditTrailApiResponse = /** status 200 Changes */ AuditAnswer;
export type AuditTrailApiArg = {
  limit?: number;
  offset?: number;
  /** What was changed: campaign, reward, post, user and so on */
  entity?: string;
  /** Its id; with entity only */
  entityId?: string;
  /** Who: a person by id or email, or operator, scheduler, payments, seed */
  actor?: string;
  /** The first day */
  from?: Day;
  /** The last day */
  to?: Day;
};
export type AcceptExperimentInvitationApiResponse =
  /** status 200 Joined */ CreatedExperimentAnswer;
export type AcceptExperimentInvitationApiArg = {
  experimentId: number;
};
export type DeclineExperimentInvitationApiResponse = unknown;
export type DeclineExperimentInvitationApiArg = {
  experimentId: number;
};
export type OwnInvitationsApiResponse =
  /** status 200 The latest first */ OwnInvitationsAnswer;
export type OwnInvitationsApiArg = {
  language: Language;
};
export type ProfileImages = {
  profile: {
    filename: string;
    /** A path under /media with {width}x{height} left to the reader */
    url: string;
  };
};
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
export type Link = {
  url: string;
  title: string;
};
export type Acl = ("view" | "edit" | "admin")[];
export type Language = string;
export type MailSettings = {
  /** Posts of the campaigns that they have backed */
  letters: boolean;
};
export type ProfileSettings = {
  /** Staff know who it is */
  verified: boolean;
  /** The mailed link was used */
  email_confirmed: boolean;
  /** Present while the address's mail server takes no mail; since when */
  email_refused_at?: string;
  language: Language;
  mail: MailSettings;
  /** The public page says how many campaigns they have backed */
  show_backed: boolean;
};
export type ProfileExperiment = {
  experiment_id: number;
  stage: number;
  slug: string;
  title: string;
  short_description: string;
  /** File name under /media */
  image: string;
  language: string;
  /** First in its team */
  owner: boolean;
  /** True while its team shows it nowhere, on one's own page alone */
  hidden?: boolean;
};
export type Count = number;
export type Version = number;
export type Profile = {
  user_id: number;
  first_name: string;
  last_name: string;
  email: string;
  short_description: string;
  long_description: string;
  image_collection: ProfileImages;
  tags: Tag[];
  links: Link[];
  skills: string[];
  scope: Acl;
  settings: ProfileSettings;
  meta: {
    phone: string;
  };
  /** In whose teams they are */
  experiments: ProfileExperiment[];
  subscription_created: Count;
  mangopay_created: Count;
  stripe_created: Count;
  joined_at: string;
  version: Version;
};
export type ProfileAnswer = {
  profile: Profile;
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
export type ProfileChange = {
  first_name?: string;
  last_name?: string;
  short_description?: string;
  meta?: {
    /** Digits, spaces, hyphens and brackets, perhaps with a plus before */
    phone?: string;
  };
};
export type ProfileImageChange = {
  image_collection: {
    profile: {
      filename: string;
    };
  };
};
export type LinksChange = {
  links: {
    /** A web or email address; https:// and mailto: may be left out */
    url?: string;
    title?: string;
  }[];
};
export type SkillsChange = {
  skills: string[];
};
export type TagsChange = {
  /** At most 10 different ones */
  tags: number[];
};
export type SettingsChange = {
  language?: Language;
  mail?: {
    letters?: boolean;
  };
  show_backed?: boolean;
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
export type UserPreviewsAnswer = {
  previews: UserPreview[];
  /** How many there are on all pages, exactly up to 1000; then at least so many */
  total: number;
  /** Present and true when counting ended before the list */
  total_is_more?: boolean;
};
export type TagsAnswer = {
  tags: Tag[];
};
export type Slug = string;
export type Amount = number;
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
export type ProfilePost = {
  id: number;
  campaign_id: number;
  /** The campaign's */
  slug: string;
  title: string;
  campaign_title: string;
  language: string;
  /** 0: for everyone */
  level: number;
  published_at: string;
};
export type PublicProfile = {
  user_id: number;
  first_name: string;
  last_name: string;
  short_description: string;
  long_description: string;
  /** The person's own; that of the descriptions */
  language: string;
  image_collection: ProfileImages;
  tags: Tag[];
  links: Link[];
  skills: string[];
  settings: {
    /** Staff know who it is */
    verified: boolean;
  };
  /** Public ones in whose teams they are, the latest first, at most 24 */
  campaigns: CampaignPreview[];
  /** In whose teams they are, the latest first, at most 24 */
  experiments: ProfileExperiment[];
  /** The latest of their campaigns */
  posts: ProfilePost[];
  counts: ProfileCounts;
  joined_at: string;
};
export type PublicProfileAnswer = {
  profile: PublicProfile;
};
export type HeldCampaign = {
  campaign_id: number;
  slug: Slug;
  title: string;
};
export type PersonAdmin = {
  user_id: number;
  first_name: string;
  last_name: string;
  email: string;
  short_description: string;
  image_filename: string;
  settings: {
    /** Staff know who it is */
    verified: boolean;
    email_confirmed: boolean;
  };
  scope: Acl;
  blocked?: {
    at: string;
    /** Empty when it was done on the command line */
    reason: string;
  };
  /** In whose teams they are, drafts included */
  campaigns: number;
  /** That are theirs and take money now, which a block puts on hold */
  open_campaigns: number;
  /** That are theirs and on hold because they were blocked; nothing lifts that but staff */
  held_campaigns: HeldCampaign[];
  experiments: Count;
  joined_at: string;
  version: Version;
};
export type PeopleAdminAnswer = {
  people: PersonAdmin[];
  /** How many there are on all pages, exactly up to 1000; then at least so many */
  total: number;
  /** Present and true when counting ended before the list */
  total_is_more?: boolean;
};
export type PersonAdminAnswer = {
  person: PersonAdmin;
};
export type PersonAdminChange = {
  settings?: {
    verified?: boolean;
  };
  scope?: ("view" | "edit" | "admin")[];
  /** True needs a reason */
  blocked?: boolean;
  /** For staff and the audit trail */
  reason?: string;
};
export type AuditField = {
  path: string;
  /** Left out, as is after, where it is long (a story). Of a team the names of its people, empty for an account that was erased */
  before?: any;
  after?: any;
  long: boolean;
};
export type AuditEntry = {
  id: number;
  at: string;
  by: {
    user_id?: number;
    /** Empty for what happened by itself */
    name: string;
    actor: string;
  };
  action: string;
  entity: string;
  entity_id: string;
  /** Whose it is */
  campaign_id?: number;
  fields: AuditField[];
};
export type AuditAnswer = {
  entries: AuditEntry[];
  /** How many there are on all pages, exactly up to 1000; then at least so many */
  total: number;
  /** Present and true when counting ended before the list */
  total_is_more?: boolean;
};
export type CreatedExperimentAnswer = {
  experiment: {
    experiment_id: number;
    slug: Slug;
    version: Version;
  };
};
export type OwnInvitation = {
  experiment_id: number;
  title: string;
  /** Their name */
  invited_by: string;
  /** To own it; otherwise to come into its team */
  as_owner: boolean;
  expires_at: string;
};
export type OwnInvitationsAnswer = {
  invitations: OwnInvitation[];
};
export const {
  useOwnProfileQuery,
  useLazyOwnProfileQuery,
  useChangeProfileMutation,
  useChangeProfileImageMutation,
  useSetProfileLinksMutation,
  useSetProfileSkillsMutation,
  useSetProfileTagsMutation,
  useChangeSettingsMutation,
  useUserPreviewsQuery,
  useLazyUserPreviewsQuery,
  useUserTagsQuery,
  useLazyUserTagsQuery,
  useUserProfileQuery,
  useLazyUserProfileQuery,
  usePeopleAdminQuery,
  useLazyPeopleAdminQuery,
  usePersonAdminQuery,
  useLazyPersonAdminQuery,
  useChangePersonAdminMutation,
  useAuditTrailQuery,
  useLazyAuditTrailQuery,
  useAcceptExperimentInvitationMutation,
  useDeclineExperimentInvitationMutation,
  useOwnInvitationsQuery,
  useLazyOwnInvitationsQuery,
} = injectedRtkApi;
