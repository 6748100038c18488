import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    myCampaigns: build.query<MyCampaignsApiResponse, MyCampaignsApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/mycampaigns/preview/${encodeURIComponent(String(queryArg.language))}/`,
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
    createCampaign: build.mutation<
      CreateCampaignApiResponse,
      CreateCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/`,
        method: "POST",
        body: queryArg.newDraft,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    createCampaignV2: build.mutation<
      CreateCampaignV2ApiResponse,
      CreateCampaignV2ApiArg
    >({
      query: (queryArg) => ({
        url: `/v2/campaigns/`,
        method: "POST",
        body: queryArg.newCampaign,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    createCampaignV3: build.mutation<
      CreateCampaignV3ApiResponse,
      CreateCampaignV3ApiArg
    >({
      query: (queryArg) => ({
        url: `/v3/campaigns/`,
        method: "POST",
        body: queryArg.guidedCampaign,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    discardCampaign: build.mutation<
      DiscardCampaignApiResponse,
      DiscardCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/`,
        method: "DELETE",
      }),
    }),
    copyCampaign: build.mutation<CopyCampaignApiResponse, CopyCampaignApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/copy/`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    campaignAdmin: build.query<CampaignAdminApiResponse, CampaignAdminApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/admin/`,
        params: {
          here: queryArg.here,
        },
      }),
    }),
    changeCampaignAdmin: build.mutation<
      ChangeCampaignAdminApiResponse,
      ChangeCampaignAdminApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/admin/`,
        method: "PATCH",
        body: queryArg.campaignAdminChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeCampaignLanguage: build.mutation<
      ChangeCampaignLanguageApiResponse,
      ChangeCampaignLanguageApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/language/`,
        method: "PATCH",
        body: queryArg.campaignLanguageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeCampaignCustomLanguage: build.mutation<
      ChangeCampaignCustomLanguageApiResponse,
      ChangeCampaignCustomLanguageApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/custom_language/${encodeURIComponent(String(queryArg.language))}/`,
        method: "PATCH",
        body: queryArg.customLanguageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    uploadCampaignFile: build.mutation<
      UploadCampaignFileApiResponse,
      UploadCampaignFileApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/files/`,
        method: "POST",
        body: queryArg.upload,
      }),
    }),
    uploadImage: build.mutation<UploadImageApiResponse, UploadImageApiArg>({
      query: (queryArg) => ({
        url: `/files/images/`,
        method: "POST",
        body: queryArg.upload,
      }),
    }),
    setCampaignCategories: build.mutation<
      SetCampaignCategoriesApiResponse,
      SetCampaignCategoriesApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/categories/`,
        method: "POST",
        body: queryArg.categoriesChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    setCampaignTags: build.mutation<
      SetCampaignTagsApiResponse,
      SetCampaignTagsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/tags/`,
        method: "POST",
        body: queryArg.tagsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    setSubscriptionGoals: build.mutation<
      SetSubscriptionGoalsApiResponse,
      SetSubscriptionGoalsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/subscriptions_goals/`,
        method: "POST",
        body: queryArg.subscriptionGoalsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
        params: {
          language: queryArg.language,
        },
      }),
    }),
    campaignHistory: build.query<
      CampaignHistoryApiResponse,
      CampaignHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/history/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    campaignHistoryValue: build.query<
      CampaignHistoryValueApiResponse,
      CampaignHistoryValueApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/history/${encodeURIComponent(String(queryArg.changeId))}/${encodeURIComponent(String(queryArg.path))}/`,
      }),
    }),
    requestReview: build.mutation<
      RequestReviewApiResponse,
      RequestReviewApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/`,
        method: "POST",
      }),
    }),
    withdrawReview: build.mutation<
      WithdrawReviewApiResponse,
      WithdrawReviewApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/`,
        method: "DELETE",
      }),
    }),
    decideReview: build.mutation<DecideReviewApiResponse, DecideReviewApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/decisions/`,
        method: "POST",
        body: queryArg.reviewDecision,
      }),
    }),
    reviewChanges: build.query<ReviewChangesApiResponse, ReviewChangesApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/changes/`,
      }),
    }),
    seeReviewChanges: build.mutation<
      SeeReviewChangesApiResponse,
      SeeReviewChangesApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/changes/`,
        method: "POST",
        body: queryArg.reviewSeen,
      }),
    }),
    mendReviewNote: build.mutation<
      MendReviewNoteApiResponse,
      MendReviewNoteApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/review/notes/${encodeURIComponent(String(queryArg.noteId))}/`,
        method: "PATCH",
        body: queryArg.reviewNoteChange,
      }),
    }),
    campaignsInReview: build.query<
      CampaignsInReviewApiResponse,
      CampaignsInReviewApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/review/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    campaignInvitation: build.query<
      CampaignInvitationApiResponse,
      CampaignInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/invitations/${encodeURIComponent(String(queryArg.token))}/`,
      }),
    }),
    acceptCampaignInvitation: build.mutation<
      AcceptCampaignInvitationApiResponse,
      AcceptCampaignInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/invitations/${encodeURIComponent(String(queryArg.token))}/`,
        method: "POST",
      }),
    }),
    setPaymentAccount: build.mutation<
      SetPaymentAccountApiResponse,
      SetPaymentAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/set_payment_account/`,
        method: "POST",
        body: queryArg.paymentAccountChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    addContentVariation: build.mutation<
      AddContentVariationApiResponse,
      AddContentVariationApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/content_variations/`,
        method: "POST",
        body: queryArg.newContentVariation,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deleteContentVariation: build.mutation<
      DeleteContentVariationApiResponse,
      DeleteContentVariationApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/content_variations/${encodeURIComponent(String(queryArg.variation))}/`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    adoptContentVariation: build.mutation<
      AdoptContentVariationApiResponse,
      AdoptContentVariationApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/content_variations/${encodeURIComponent(String(queryArg.variation))}/adopt/`,
        method: "POST",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    campaignOverview: build.query<
      CampaignOverviewApiResponse,
      CampaignOverviewApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/overview/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    backersTable: build.query<BackersTableApiResponse, BackersTableApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/backers/table/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    supportersTable: build.query<
      SupportersTableApiResponse,
      SupportersTableApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/supporters/table/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    campaignDeliveries: build.query<
      CampaignDeliveriesApiResponse,
      CampaignDeliveriesApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/deliveries/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    markDelivered: build.mutation<
      MarkDeliveredApiResponse,
      MarkDeliveredApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/deliveries/`,
        method: "POST",
        body: queryArg.deliveryMark,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeCampaignMeta: build.mutation<
      ChangeCampaignMetaApiResponse,
      ChangeCampaignMetaApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/meta/`,
        method: "PATCH",
        body: queryArg.campaignMetaChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    changeCampaignSettings: build.mutation<
      ChangeCampaignSettingsApiResponse,
      ChangeCampaignSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/settings/`,
        method: "PATCH",
        body: queryArg.campaignSettingsChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    campaignBackers: build.query<
      CampaignBackersApiResponse,
      CampaignBackersApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/backers/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createReward: build.mutation<CreateRewardApiResponse, CreateRewardApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/rewards/`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    createPost: build.mutation<CreatePostApiResponse, CreatePostApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/`,
        method: "POST",
        body: queryArg.newPost,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    campaignPostPreviews: build.query<
      CampaignPostPreviewsApiResponse,
      CampaignPostPreviewsApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/preview/`,
        params: {
          language: queryArg.language,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    changePost: build.mutation<ChangePostApiResponse, ChangePostApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/${encodeURIComponent(String(queryArg.postId))}/`,
        method: "PATCH",
        body: queryArg.postChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deletePost: build.mutation<DeletePostApiResponse, DeletePostApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/${encodeURIComponent(String(queryArg.postId))}/`,
        method: "DELETE",
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    postAdmin: build.query<PostAdminApiResponse, PostAdminApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/${encodeURIComponent(String(queryArg.postId))}/admin/`,
        params: {
          here: queryArg.here,
        },
      }),
    }),
    sendTestLetter: build.mutation<
      SendTestLetterApiResponse,
      SendTestLetterApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/posts/${encodeURIComponent(String(queryArg.postId))}/test_letter/`,
        method: "POST",
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeReward: build.mutation<ChangeRewardApiResponse, ChangeRewardApiArg>({
      query: (queryArg) => ({
        url: `/rewards/${encodeURIComponent(String(queryArg.rewardId))}/`,
        method: "PATCH",
        body: queryArg.rewardChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    deleteReward: build.mutation<DeleteRewardApiResponse, DeleteRewardApiArg>({
      query: (queryArg) => ({
        url: `/rewards/${encodeURIComponent(String(queryArg.rewardId))}/`,
        method: "DELETE",
      }),
    }),
    copyReward: build.mutation<CopyRewardApiResponse, CopyRewardApiArg>({
      query: (queryArg) => ({
        url: `/rewards/${encodeURIComponent(String(queryArg.rewardId))}/copy/`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    rewardAdmin: build.query<RewardAdminApiResponse, RewardAdminApiArg>({
      query: (queryArg) => ({
        url: `/rewards/${encodeURIComponent(String(queryArg.rewardId))}/admin/`,
      }),
    }),
    changeRewardLanguage: build.mutation<
      ChangeRewardLanguageApiResponse,
      ChangeRewardLanguageApiArg
    >({
      query: (queryArg) => ({
        url: `/rewards/${encodeURIComponent(String(queryArg.rewardId))}/language/`,
        method: "PATCH",
        body: queryArg.rewardLanguageChange,
        headers: {
          "If-Match": queryArg["If-Match"],
        },
      }),
    }),
    lookUpVideo: build.mutation<LookUpVideoApiResponse, LookUpVideoApiArg>({
      query: (queryArg) => ({
        url: `/videos/lookup/`,
        method: "POST",
        body: queryArg.videoLookup,
      }),
    }),
    unsubscribeFromLetters: build.mutation<
      UnsubscribeFromLettersApiResponse,
      UnsubscribeFromLettersApiArg
    >({
      query: (queryArg) => ({
        url: `/letters/${encodeURIComponent(String(queryArg.token))}/unsubscribe/`,
        method: "POST",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedEditing };
export type MyCampaignsApiResponse =
  /** status 200 Previews */ CampaignPreviewsAnswer;
export type MyCampaignsApiArg = {
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
export type CreateCampaignApiResponse =
  /** status 201 The draft */ CreatedCampaignAnswer;
export type CreateCampaignApiArg = {
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newDraft: NewDraft;
};
export type CreateCampaignV2ApiResponse =
  /** status 201 The draft */ CreatedCampaignAnswer;
export type CreateCampaignV2ApiArg = {
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newCampaign: NewCampaign;
};
export type CreateCampaignV3ApiResponse =
  /** status 201 The draft */ CreatedCampaignAnswer;
export type CreateCampaignV3ApiArg = {
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  guidedCampaign: GuidedCampaign;
};
export type DiscardCampaignApiResponse = unknown;
export type DiscardCampaignApiArg = {
  campaignId: number;
};
export type CopyCampaignApiResponse =
  /** status 201 The draft */ CreatedCampaignAnswer;
export type CopyCampaignApiArg = {
  campaignId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
};
export type CampaignAdminApiResponse =
  /** status 200 As it is now */ CampaignAdminAnswer;
export type CampaignAdminApiArg = {
  campaignId: number;
  /** The reader has the editor open, with the focus in this part (empty, in none). The answer says who else has, and theirs says it of the reader for less than a minute */
  here?: string;
};
export type ChangeCampaignAdminApiResponse =
  /** status 200 As it is now */ CampaignAdminAnswer;
export type ChangeCampaignAdminApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignAdminChange: CampaignAdminChange;
};
export type ChangeCampaignLanguageApiResponse =
  /** status 200 The texts of the languages that were changed */ CampaignLanguageAnswer;
export type ChangeCampaignLanguageApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignLanguageChange: CampaignLanguageChange;
};
export type ChangeCampaignCustomLanguageApiResponse =
  /** status 200 All of them in this language */ CustomLanguageAnswer;
export type ChangeCampaignCustomLanguageApiArg = {
  campaignId: number;
  language: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  customLanguageChange: CustomLanguageChange;
};
export type UploadCampaignFileApiResponse = /** status 201 Stored */ FileAnswer;
export type UploadCampaignFileApiArg = {
  campaignId: number;
  upload: Upload;
};
export type UploadImageApiResponse = /** status 201 Stored */ ImageAnswer;
export type UploadImageApiArg = {
  upload: Upload;
};
export type SetCampaignCategoriesApiResponse =
  /** status 200 As they are now */ CampaignCategoriesAnswer;
export type SetCampaignCategoriesApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  categoriesChange: CategoriesChange;
};
export type SetCampaignTagsApiResponse =
  /** status 200 As they are now */ CampaignTagsAnswer;
export type SetCampaignTagsApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  tagsChange: TagsChange;
};
export type SetSubscriptionGoalsApiResponse =
  /** status 200 As they are now */ SubscriptionGoalsAnswer;
export type SetSubscriptionGoalsApiArg = {
  campaignId: number;
  language?: Language;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  subscriptionGoalsChange: SubscriptionGoalsChange;
};
export type CampaignHistoryApiResponse =
  /** status 200 Changes */ HistoryAnswer;
export type CampaignHistoryApiArg = {
  campaignId: number;
  limit?: number;
  offset?: number;
};
export type CampaignHistoryValueApiResponse =
  /** status 200 The value */ HistoryValueAnswer;
export type CampaignHistoryValueApiArg = {
  campaignId: number;
  changeId: number;
  /** The field as the history names it */
  path: string;
};
export type RequestReviewApiResponse =
  /** status 200 As it stands */ ReviewAnswer;
export type RequestReviewApiArg = {
  campaignId: number;
};
export type WithdrawReviewApiResponse =
  /** status 200 As it stands */ ReviewAnswer;
export type WithdrawReviewApiArg = {
  campaignId: number;
};
export type DecideReviewApiResponse =
  /** status 200 As it stands */ ReviewAnswer;
export type DecideReviewApiArg = {
  campaignId: number;
  reviewDecision: ReviewDecision;
};
export type ReviewChangesApiResponse =
  /** status 200 Parts */ ReviewChangesAnswer;
export type ReviewChangesApiArg = {
  campaignId: number;
};
export type SeeReviewChangesApiResponse =
  /** status 200 Parts */ ReviewChangesAnswer;
export type SeeReviewChangesApiArg = {
  campaignId: number;
  reviewSeen: ReviewSeen;
};
export type MendReviewNoteApiResponse =
  /** status 200 As it stands */ ReviewAnswer;
export type MendReviewNoteApiArg = {
  campaignId: number;
  noteId: number;
  reviewNoteChange: ReviewNoteChange;
};
export type CampaignsInReviewApiResponse =
  /** status 200 Campaigns */ ReviewsAnswer;
export type CampaignsInReviewApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
};
export type CampaignInvitationApiResponse =
  /** status 200 The invitation */ InvitationAnswer;
export type CampaignInvitationApiArg = {
  token: string;
};
export type AcceptCampaignInvitationApiResponse =
  /** status 200 Joined */ CreatedCampaignAnswer;
export type AcceptCampaignInvitationApiArg = {
  token: string;
};
export type SetPaymentAccountApiResponse =
  /** status 200 As it is now */ PaymentAccountAnswer;
export type SetPaymentAccountApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  paymentAccountChange: PaymentAccountChange;
};
export type AddContentVariationApiResponse =
  /** status 200 The experiment as it stands */ ContentExperimentAnswer;
export type AddContentVariationApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  newContentVariation: NewContentVariation;
};
export type DeleteContentVariationApiResponse =
  /** status 200 The experiment as it stands */ ContentExperimentAnswer;
export type DeleteContentVariationApiArg = {
  campaignId: number;
  variation: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type AdoptContentVariationApiResponse =
  /** status 200 The experiment as it stands */ ContentExperimentAnswer;
export type AdoptContentVariationApiArg = {
  campaignId: number;
  variation: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type CampaignOverviewApiResponse =
  /** status 200 The overview */ OverviewAnswer;
export type CampaignOverviewApiArg = {
  campaignId: number;
  language?: Language;
};
export type BackersTableApiResponse = /** status 200 The table */ Blob;
export type BackersTableApiArg = {
  campaignId: number;
  language?: Language;
};
export type SupportersTableApiResponse = /** status 200 The table */ Blob;
export type SupportersTableApiArg = {
  campaignId: number;
  language?: Language;
};
export type CampaignDeliveriesApiResponse =
  /** status 200 The rewards */ DeliveriesAnswer;
export type CampaignDeliveriesApiArg = {
  campaignId: number;
  language?: Language;
};
export type MarkDeliveredApiResponse =
  /** status 200 As they are now */ DeliveriesAnswer;
export type MarkDeliveredApiArg = {
  campaignId: number;
  language?: Language;
  deliveryMark: DeliveryMark;
};
export type ChangeCampaignMetaApiResponse =
  /** status 200 As it is now */ CampaignMetaAnswer;
export type ChangeCampaignMetaApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignMetaChange: CampaignMetaChange;
};
export type ChangeCampaignSettingsApiResponse =
  /** status 200 As they are now */ CampaignSettingsAnswer;
export type ChangeCampaignSettingsApiArg = {
  campaignId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  campaignSettingsChange: CampaignSettingsChange;
};
export type CampaignBackersApiResponse =
  /** status 200 Backers */ BackersAnswer;
export type CampaignBackersApiArg = {
  campaignId: number;
  limit?: number;
  offset?: number;
};
export type CreateRewardApiResponse =
  /** status 201 The reward */ CreatedRewardAnswer;
export type CreateRewardApiArg = {
  campaignId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
};
export type CreatePostApiResponse = /** status 201 The post */ PostAdminAnswer;
export type CreatePostApiArg = {
  campaignId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newPost: NewPost;
};
export type CampaignPostPreviewsApiResponse =
  /** status 200 Previews */ PostPreviewsAnswer;
export type CampaignPostPreviewsApiArg = {
  campaignId: number;
  language?: Language;
  limit?: number;
  offset?: number;
};
export type ChangePostApiResponse =
  /** status 200 As it is now */ PostAdminAnswer;
export type ChangePostApiArg = {
  campaignId: number;
  postId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  postChange: PostChange;
};
export type DeletePostApiResponse = unknown;
export type DeletePostApiArg = {
  campaignId: number;
  postId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
};
export type PostAdminApiResponse =
  /** status 200 As it is now */ PostAdminAnswer;
export type PostAdminApiArg = {
  campaignId: number;
  postId: number;
  /** The reader has the editor open, with the focus in this part (empty, in none). The answer says who else has, and theirs says it of the reader for less than a minute */
  here?: string;
};
export type SendTestLetterApiResponse = unknown;
export type SendTestLetterApiArg = {
  campaignId: number;
  postId: number;
  language?: Language;
};
export type ChangeRewardApiResponse =
  /** status 200 As it is now */ RewardAdminAnswer;
export type ChangeRewardApiArg = {
  rewardId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  rewardChange: RewardChange;
};
export type DeleteRewardApiResponse = unknown;
export type DeleteRewardApiArg = {
  rewardId: number;
};
export type CopyRewardApiResponse =
  /** status 201 The reward */ CreatedRewardAnswer;
export type CopyRewardApiArg = {
  rewardId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
};
export type RewardAdminApiResponse =
  /** status 200 As it is now */ RewardAdminAnswer;
export type RewardAdminApiArg = {
  rewardId: number;
};
export type ChangeRewardLanguageApiResponse =
  /** status 200 As it is now */ RewardAdminAnswer;
export type ChangeRewardLanguageApiArg = {
  rewardId: number;
  /** The version that the change is meant for, as an ETag of a change has it ("7"). Without one the change is made to whatever there is. */
  "If-Match"?: string;
  rewardLanguageChange: RewardLanguageChange;
};
export type LookUpVideoApiResponse = /** status 200 The video */ VideoAnswer;
export type LookUpVideoApiArg = {
  videoLookup: VideoLookup;
};
export type UnsubscribeFromLettersApiResponse = unknown;
export type UnsubscribeFromLettersApiArg = {
  token: string;
};
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
export type CampaignPreviewsAnswer = {
  previews: CampaignPreview[];
  /** How many campaigns the list has on all its pages, exactly up to 100. Counting ends there, or just past this page when that is further; of a search it may end just past this page. */
  total: number;
  /** Present and true when counting ended before the list: it has `total` campaigns or more. */
  total_is_more?: boolean;
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
export type Version = number;
export type CreatedCampaignAnswer = {
  campaign: {
    campaign_id: number;
    slug: Slug;
    version: Version;
  };
};
export type NewDraft = {
  /** What it shall open as; 0 and none are 2. The draft itself has stage 0. */
  stage?: 0 | 2 | 6;
};
export type Title = string;
export type Tagline = string;
export type CategoryIds = number[];
export type OpensAs = 2 | 6;
export type NewCampaign = {
  title: Title;
  tagline?: Tagline;
  categories?: CategoryIds;
  place?: string;
  language?: Language;
  stage?: OpensAs;
};
export type WantedAmount = number;
export type FundingRule = "all_or_nothing" | "keep_what_is_raised";
export type WantedDay = string;
export type WholeAmount = number;
export type SubscriptionGoalChange = {
  /** Left out for a new one */
  goal_id?: number;
  /** Subscriptions */
  target: number;
  title: string;
  description?: string;
};
export type GuidedCampaign = {
  title: Title;
  tagline?: Tagline;
  categories?: CategoryIds;
  place?: string;
  language?: Language;
  stage?: OpensAs;
  min_goal?: WantedAmount;
  target_goal?: WantedAmount;
  funding_rule?: FundingRule;
  first_day_of_funding?: WantedDay;
  last_day_of_funding?: WantedDay;
  rewards?: {
    title: string;
    description?: string;
    amount: WholeAmount;
    /** 0 for unlimited */
    stock?: number;
  }[];
  subscriptions_goals?: SubscriptionGoalChange[];
  contact_email?: string;
  legal_creator?: string;
  legal_creator_type?: "" | "person" | "association" | "company";
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
export type CampaignAdminChange = {
  /** The whole team in its order, the creator first. Who is left out is no member any more. A member who is put first is asked, and the creator stays until they agree. */
  team?: {
    user_id?: number;
    /** Of somebody who is to be invited, or invited again */
    email?: string;
  }[];
  /** The addresses that stay invited. An invitation that is left out is withdrawn; without this field all stay. */
  invitations?: string[];
  /** Closes it for good, before its last day or after: by staff, or by its creator before it has ended. What it raised so far goes back */
  stage?: 5;
  /** Why it is closed, for the team */
  reason?: string;
};
export type CampaignLanguageAnswer = {
  language: CampaignTextsByLanguage;
  slug: Slug;
  version: Version;
};
export type WrittenRichText = RichText;
export type CampaignTextsChange = {
  title?: Title;
  tagline?: Tagline;
  short_description?: string;
  about_creator?: string;
  json_description?: WrittenRichText;
  project_pic_alt?: string;
};
export type CampaignLanguageChange = {
  fi?: CampaignTextsChange;
  en?: CampaignTextsChange;
  sv?: CampaignTextsChange;
};
export type CustomLanguageAnswer = {
  custom_language: CustomTexts;
  version: Version;
};
export type CustomLanguageChange = {
  [key: string]: {
    value: string;
    format?: "text" | "markdown";
  };
};
export type FileAnswer = {
  file: {
    /** Under /media */
    name: string;
    width: number;
    height: number;
  };
};
export type Upload = {
  /** JPEG, PNG, GIF or WebP, at most 25 MiB and 50 megapixels */
  file: Blob;
};
export type ImageAnswer = {
  image: {
    /** Under /media */
    filename: string;
    width: number;
    height: number;
  };
};
export type CampaignCategoriesAnswer = {
  categories: number[];
  version: Version;
};
export type CategoriesChange = {
  categories: CategoryIds;
};
export type CampaignTagsAnswer = {
  tags: Tag[];
  version: Version;
};
export type TagsChange = {
  /** At most 10 different ones */
  tags: number[];
};
export type SubscriptionGoalsAnswer = {
  subscriptions_goals: SubscriptionGoalTexts[];
  version: Version;
};
export type SubscriptionGoalsChange = {
  subscriptions_goals: SubscriptionGoalChange[];
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
export type ReviewAnswer = {
  review: Review;
  stage: number;
  version: Version;
};
export type SeenParts = {
  [key: string]: string;
};
export type ReviewDecision = {
  /** Of an approved campaign that has not opened, too: asking for changes makes it a draft again */
  decision: "approve" | "ask_for_changes";
  /** What the decision is about. To approve it is required, and reviewed_meanwhile names what has changed since of that which an approval needs; other parts that have changed since count as not seen */
  seen?: SeenParts;
  notes?: {
    part: ReviewPart;
    text: string;
    quote?: string;
  }[];
};
export type ReviewedPart = {
  /** One of the campaign's parts; a reward is reward:<id> */
  part: string;
  kind: PartKind;
  /** Names the present value; empty when the part is gone */
  digest: string;
  /** Since staff last read it, or since the review was asked for */
  changed: boolean;
  /** Of a changed part that was there */
  before?: any;
  /** Of a changed part that is there */
  now?: any;
  /** Who changed it last */
  by?: string;
  at?: string;
};
export type ReviewChangesAnswer = {
  state: "none" | "requested" | "approved" | "changes_requested";
  stage: number;
  version: Version;
  /** The one that staff last read */
  read_version?: Version;
  read_at?: string;
  answer_by?: Day;
  barred?: ReviewBarred;
  parts: ReviewedPart[];
  /** Of the people, tags and categories that the changes name by id: team:7, tags:3, category:2 */
  names: {
    [key: string]: string;
  };
};
export type ReviewSeen = {
  seen: SeenParts;
};
export type ReviewNoteChange = {
  mended: boolean;
};
export type CampaignInReview = {
  campaign: CampaignPreview;
  asked_at: string;
  asked_by: string;
  round: number;
  answer_by: Day;
  barred?: ReviewBarred;
};
export type ChangedCampaign = {
  campaign: CampaignPreview;
  changed_at: string;
};
export type ReviewsAnswer = {
  reviews: CampaignInReview[];
  total: Count;
  /** Those that were approved and have changes since that nobody has seen, without the waiting ones; the longest unseen first, at most 100 */
  changed: ChangedCampaign[];
};
export type InvitationAnswer = {
  invitation: {
    campaign_id: number;
    slug: Slug;
    title: string;
    invited_by: string;
    /** Where it was sent, its middle hidden */
    email: string;
    expires_at: string;
    /** A member is asked to become the creator; the link is for their account alone */
    as_creator: boolean;
  };
};
export type PaymentAccountAnswer = {
  settings: CampaignAdminSettings;
  version: Version;
};
export type PaymentAccountChange = {
  stripe_account_id?: string;
  mangopay_user_id?: string;
  mangopay_wallet_id?: string;
};
export type ContentExperimentAnswer = {
  content_experiment?: ContentExperiment;
  version: Version;
};
export type NewContentVariation = {
  field: "title" | "tagline" | "project_pic";
  language?: Language;
  /** A text of the language, or a picture's file name */
  value: string;
};
export type OverviewDay = {
  day: Day;
  amount: Amount;
  settling: Amount;
  backers: Count;
};
export type OverviewPace = {
  missing: Amount;
  days_left: Count;
  needed_a_day: Amount;
  recent_a_day: Amount;
  recent_days: number;
};
export type VisitSource = string;
export type OverviewSource = {
  source: VisitSource;
  backers: Count;
  amount: Amount;
};
export type OverviewReward = {
  reward_id: number;
  title: string;
  amount: number;
  stock: number;
  stock_reserved: number;
  backers: Count;
  active: 0 | 1;
};
export type OverviewWithoutReward = {
  backers: Count;
  amount: Amount;
};
export type OverviewSettling = {
  method: string;
  day: Day;
  pledges: Count;
  amount: Amount;
};
export type OverviewPost = {
  post_id: number;
  title: string;
  published_at: string;
};
export type OverviewNext = {
  kind:
    | "mend_notes"
    | "finish_checklist"
    | "ask_review"
    | "payment_account"
    | "first_post"
    | "post_due"
    | "reward_running_out"
    | "translation_missing"
    | "share";
  days?: Count;
  count?: Count;
  language?: string;
  title?: string;
};
export type OverviewMonth = {
  month: Day;
  supporters: Count;
  amount: Amount;
  resting: Count;
  came: Count;
  gone: Count;
  received: Amount;
};
export type OverviewUnsure = {
  /** charge_failing: a charge was refused and is tried again, or waits for its supporter. past_due: it is tried no
    more. card_expiring: before that month's charge. paused: or the month is skipped. ending: what is paid runs out.
     */
  reason: "charge_failing" | "past_due" | "card_expiring" | "paused" | "ending";
  supporters: Count;
  amount: Amount;
};
export type OverviewNextMonth = {
  month: Day;
  supporters: Count;
  amount: Amount;
  unsure: OverviewUnsure[];
};
export type OverviewMonthly = {
  supporters: Count;
  amount: Amount;
  resting: Count;
  /** From the first supporter's month to this one, one each, at most 36; months are those of the platform's zone */
  months: OverviewMonth[];
  next_month: OverviewNextMonth;
  goals: SubscriptionGoal[];
};
export type CampaignOverview = {
  campaign_id: number;
  slug: Slug;
  title: string;
  project_pic: string;
  stage: number;
  currency: string;
  legal_creator?: string;
  funding_reached: Amount;
  funding_settling: Amount;
  min_goal: Amount;
  target_goal: Amount;
  number_of_backers: Count;
  average?: Amount;
  visitors?: Count;
  /** Visitors who paid; left out below 100 visitors */
  conversion?: number;
  first_day_of_funding?: Day;
  last_day_of_funding?: Day;
  today?: Day;
  /** From the first day of funding to today, or to the last day when it is over, one each; days are those of the platform's zone */
  days: OverviewDay[];
  pace?: OverviewPace;
  /** By amount; what comes from others than the twenty largest is with the unknown */
  sources: OverviewSource[];
  rewards: OverviewReward[];
  without_reward: OverviewWithoutReward;
  /** What banks still confirm, by method and day it was promised */
  settling: OverviewSettling[];
  posts: OverviewPost[];
  /** What to do next, most urgent first */
  next: OverviewNext[];
  monthly?: OverviewMonthly;
  content_experiment?: ContentExperiment;
};
export type OverviewAnswer = {
  overview: CampaignOverview;
};
export type RewardKind = "goods" | "service" | "digital" | "made_to_order";
export type RewardDelivery = {
  reward_id: number;
  title: string;
  kind: RewardKind;
  /** Pledges that wait for it */
  waiting: number;
  /** Pledges that it was sent to */
  sent: number;
  last_sent_on?: string;
};
export type DeliveriesAnswer = {
  /** The day on which the campaign ended, in Europe/Helsinki; left out while it has not, or when the money goes back */
  ended_on?: string;
  rewards: RewardDelivery[];
};
export type DeliveryMark = {
  reward_id: number;
  /** In Europe/Helsinki: not in the future, and not before the campaign has ended */
  day: string;
  /** Of the one backer; left out for all who wait */
  receipt_number?: string;
};
export type CampaignMetaAnswer = {
  meta: CampaignMeta;
  version: Version;
};
export type CampaignMetaChange = {
  /** A web address */
  external_link_1?: string;
  hideFundingAmount?: boolean;
  hideMemberCount?: boolean;
  legal_creator_type?: "" | "person" | "association" | "company";
};
export type ChangedCampaignSettings = CampaignSettings & {
  video_url: string;
  funding_rule: FundingRule;
  place: string;
  project_pic: string;
  creator_pic: string;
  min_goal: Amount;
  target_goal: Amount;
};
export type CampaignSettingsAnswer = {
  settings: ChangedCampaignSettings;
  version: Version;
};
export type CampaignSettingsChange = {
  /** A video platform's address */
  video_url?: string;
  /** Major units, at most two decimals; 0 for none */
  min_goal?: number;
  /** Major units, at most two decimals; 0 for none */
  target_goal?: number;
  contact_email?: string;
  /** Shown as the creator's name */
  legal_creator?: string;
  funding_rule?: FundingRule;
  place?: string;
  /** The one it is first written in; of a draft only */
  language?: "fi" | "en" | "sv";
  /** The stage that it opens to; of a draft only */
  opens_as?: 2 | 6;
  /** The cover, an uploaded picture's name; empty for the one drawn from the title */
  project_pic?: string;
  creator_pic?: string;
  first_day_of_funding?: string;
  last_day_of_funding?: string;
};
export type Backer = {
  /** Empty for an anonymous backer */
  name: string;
  anonymous: boolean;
  amount?: Amount;
  image: string;
  backed_at?: string;
};
export type BackersAnswer = {
  previews: Backer[];
  total: Count;
};
export type CreatedRewardAnswer = {
  reward: {
    reward_id: number;
    version: Version;
  };
};
export type PostMeta = {
  /** Who reads the whole: 0 everybody, 1 every backer, above it those who have backed with so many whole major units */
  level: number;
};
export type PostText = {
  title: string;
  json: RichText;
  updated_at: string;
};
export type PostReaders = {
  level: number;
  readers: Count;
};
export type PostAdmin = {
  id: number;
  campaign_id: number;
  /** Its place among the campaign's posts */
  number: number;
  status: "draft" | "published";
  published_at?: string;
  language: string;
  meta: PostMeta;
  author: string;
  version: Version;
  updated_at: string;
  /** By language */
  texts: {
    [key: string]: PostText;
  };
  letters: {
    total: Count;
    by_language: {
      [key: string]: Count;
    };
    declined: Count;
    undelivered: Count;
    /** Present once its letters have left */
    sent_at?: string;
    waits_for?: HoldKind;
  };
  /** How many may read the whole at each level worth choosing */
  readers: PostReaders[];
};
export type PostAdminAnswer = {
  post: PostAdmin;
  writers?: Writers;
};
export type PostContent = {
  title?: string;
  json?: WrittenRichText;
  /** Instead of json; what a document can hold of it is kept as one */
  html?: string;
};
export type NewPost = {
  content?: PostContent;
  language?: Language;
  status?: "draft" | "published";
  meta?: PostMeta;
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
export type PostPreviewsAnswer = {
  previews: PostPreview[];
  total: Count;
};
export type PostChange = {
  content?: PostContent;
  language?: Language;
  status?: "draft" | "published";
  meta?: PostMeta;
};
export type LanguageTexts = {
  fi?: string;
  en?: string;
  sv?: string;
};
export type AddedCostTexts = {
  amount: Amount;
  description: LanguageTexts;
  without_address?: boolean;
};
export type CustomQuestion = {
  key: string;
  /** ask_for_address asks for a postal address */
  text: string;
};
export type RewardTexts = {
  title: string;
  description: string;
  custom_questions: CustomQuestion[];
  image_alt: string;
};
export type RewardTextsByLanguage = {
  fi?: RewardTexts;
  en?: RewardTexts;
  sv?: RewardTexts;
};
export type BoughtReward = {
  amount: number;
  vat_percentage?: number;
  /** Of the texts */
  language: string;
  title: string;
  description: string;
  delivery: string;
  backers: Count;
  first_at: string;
  last_at: string;
};
export type RewardAdmin = {
  kind: RewardKind;
  reward_id: number;
  campaign_id: number;
  version: Version;
  amount: number;
  stock: number;
  /** A level of monthly support, which has no stock */
  is_monthly: boolean;
  stock_reserved: number;
  active: 0 | 1;
  vat_percentage?: number;
  delivery: string;
  image: string;
  added_costs: AddedCostTexts[];
  texts: RewardTextsByLanguage;
  backers: Count;
  /** What people have paid for, each version and language apart, latest first; at most 50 */
  bought: BoughtReward[];
};
export type RewardAdminAnswer = {
  reward: RewardAdmin;
};
export type RewardChange = {
  amount?: WholeAmount;
  kind?: RewardKind;
  /** 0 for unlimited; never below what is reserved */
  stock?: number;
  active?: 0 | 1;
  image?: string;
  /** At most one decimal; null for none */
  vat_percentage?: number | null;
  /** A month, or the first and the last, which is later */
  delivery?: string;
  added_costs?: {
    /** Major units, at most two decimals; with the price no more than the most that can be pledged */
    amount: number;
    description: LanguageTexts;
    without_address?: boolean;
  }[];
};
export type RewardTextsChange = {
  title?: string;
  description?: string;
  image_alt?: string;
  /** The whole list; keys are given anew, custom_question_1 to N, in this order */
  custom_questions?: {
    key?: string;
    text: string;
  }[];
};
export type RewardLanguageChange = {
  fi?: RewardTextsChange;
  en?: RewardTextsChange;
  sv?: RewardTextsChange;
};
export type VideoAnswer = {
  video: {
    /** The video's page */
    url: string;
    platform: "youtube" | "vimeo";
    title: string;
    width?: number;
    height?: number;
  };
};
export type VideoLookup = {
  url: string;
};
export const {
  useMyCampaignsQuery,
  useLazyMyCampaignsQuery,
  useCreateCampaignMutation,
  useCreateCampaignV2Mutation,
  useCreateCampaignV3Mutation,
  useDiscardCampaignMutation,
  useCopyCampaignMutation,
  useCampaignAdminQuery,
  useLazyCampaignAdminQuery,
  useChangeCampaignAdminMutation,
  useChangeCampaignLanguageMutation,
  useChangeCampaignCustomLanguageMutation,
  useUploadCampaignFileMutation,
  useUploadImageMutation,
  useSetCampaignCategoriesMutation,
  useSetCampaignTagsMutation,
  useSetSubscriptionGoalsMutation,
  useCampaignHistoryQuery,
  useLazyCampaignHistoryQuery,
  useCampaignHistoryValueQuery,
  useLazyCampaignHistoryValueQuery,
  useRequestReviewMutation,
  useWithdrawReviewMutation,
  useDecideReviewMutation,
  useReviewChangesQuery,
  useLazyReviewChangesQuery,
  useSeeReviewChangesMutation,
  useMendReviewNoteMutation,
  useCampaignsInReviewQuery,
  useLazyCampaignsInReviewQuery,
  useCampaignInvitationQuery,
  useLazyCampaignInvitationQuery,
  useAcceptCampaignInvitationMutation,
  useSetPaymentAccountMutation,
  useAddContentVariationMutation,
  useDeleteContentVariationMutation,
  useAdoptContentVariationMutation,
  useCampaignOverviewQuery,
  useLazyCampaignOverviewQuery,
  useBackersTableQuery,
  useLazyBackersTableQuery,
  useSupportersTableQuery,
  useLazySupportersTableQuery,
  useCampaignDeliveriesQuery,
  useLazyCampaignDeliveriesQuery,
  useMarkDeliveredMutation,
  useChangeCampaignMetaMutation,
  useChangeCampaignSettingsMutation,
  useCampaignBackersQuery,
  useLazyCampaignBackersQuery,
  useCreateRewardMutation,
  useCreatePostMutation,
  useCampaignPostPreviewsQuery,
  useLazyCampaignPostPreviewsQuery,
  useChangePostMutation,
  useDeletePostMutation,
  usePostAdminQuery,
  useLazyPostAdminQuery,
  useSendTestLetterMutation,
  useChangeRewardMutation,
  useDeleteRewardMutation,
  useCopyRewardMutation,
  useRewardAdminQuery,
  useLazyRewardAdminQuery,
  useChangeRewardLanguageMutation,
  useLookUpVideoMutation,
  useUnsubscribeFromLettersMutation,
} = injectedRtkApi;
