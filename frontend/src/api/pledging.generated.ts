import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownAddress: build.query<OwnAddressApiResponse, OwnAddressApiArg>({
      query: () => ({ url: `/users/me/address/` }),
    }),
    createPledge: build.mutation<CreatePledgeApiResponse, CreatePledgeApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/pledges/`,
        method: "POST",
        body: queryArg.newPledge,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    linkedPledge: build.query<LinkedPledgeApiResponse, LinkedPledgeApiArg>({
      query: (queryArg) => ({
        url: `/pledge-links/receipt/`,
        method: "POST",
        body: queryArg.receiptLink,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    askOrderLinks: build.mutation<
      AskOrderLinksApiResponse,
      AskOrderLinksApiArg
    >({
      query: (queryArg) => ({
        url: `/order-links/`,
        method: "POST",
        body: queryArg.orderLinksRequest,
      }),
    }),
    pledge: build.query<PledgeApiResponse, PledgeApiArg>({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    releasePledge: build.mutation<
      ReleasePledgeApiResponse,
      ReleasePledgeApiArg
    >({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/`,
        method: "DELETE",
      }),
    }),
    raise: build.query<RaiseApiResponse, RaiseApiArg>({
      query: (queryArg) => ({
        url: `/raises/${encodeURIComponent(String(queryArg.raiseId))}/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    releaseRaise: build.mutation<ReleaseRaiseApiResponse, ReleaseRaiseApiArg>({
      query: (queryArg) => ({
        url: `/raises/${encodeURIComponent(String(queryArg.raiseId))}/`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedPledging };
export type OwnAddressApiResponse =
  /** status 200 The address; left out when there is none */ AddressAnswer;
export type OwnAddressApiArg = void;
export type CreatePledgeApiResponse = /** status 201 The pledge */ PledgeAnswer;
export type CreatePledgeApiArg = {
  campaignId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newPledge: NewPledge;
};
export type LinkedPledgeApiResponse =
  /** status 200 The receipt */ LinkedPledgeAnswer;
export type LinkedPledgeApiArg = {
  language?: Language;
  receiptLink: ReceiptLink;
};
export type AskOrderLinksApiResponse = unknown;
export type AskOrderLinksApiArg = {
  orderLinksRequest: OrderLinksRequest;
};
export type PledgeApiResponse = /** status 200 The pledge */ PledgeAnswer;
export type PledgeApiArg = {
  pledgeId: PledgeId;
  language?: Language;
};
export type ReleasePledgeApiResponse = unknown;
export type ReleasePledgeApiArg = {
  pledgeId: PledgeId;
};
export type RaiseApiResponse = /** status 200 The charge */ RaiseAnswer;
export type RaiseApiArg = {
  raiseId: string;
  language?: Language;
};
export type ReleaseRaiseApiResponse = unknown;
export type ReleaseRaiseApiArg = {
  raiseId: string;
};
export type Address = {
  address_street: string;
  address_postcode: string;
  address_city: string;
  /** ISO 3166-1 alpha-2 */
  address_country: string;
  /** Empty when none was given */
  address_phone: string;
};
export type AddressAnswer = {
  address?: Address;
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
export type PledgeId = string;
export type Amount = number;
export type ChargedAmount = number;
export type ChangeRefundedAmount = number;
export type PledgeLine = {
  label: string;
  amount: Amount;
};
export type RewardLanguage = string;
export type VatBought = number;
export type Slug = string;
export type Tag = {
  id: number;
  label: string;
  /** How many campaigns the list would have; 1,000 for that and more */
  campaigns?: number;
};
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
export type Pledge = {
  pledge_id: PledgeId;
  campaign_id: number;
  reward_id?: number | null;
  status:
    | "created"
    | "awaiting_payment"
    | "processing"
    | "paid"
    | "failed"
    | "expired"
    | "refunded"
    | "partly_refunded"
    | "disputed"
    | "withdrawn";
  amount: Amount;
  amount_refunded?: Amount;
  amount_charged?: ChargedAmount;
  amount_change_refunded?: ChangeRefundedAmount;
  /** reward_gone, campaign_failed, campaign_canceled, requested, claim, by_creator, changed, withdrawn */
  refund_reason?: string;
  currency: string;
  quantity: number;
  /** A reward comes first */
  lines: PledgeLine[];
  reward_language?: RewardLanguage;
  vat_included?: Amount;
  vat_percentage?: VatBought;
  email: string;
  first_name: string;
  last_name?: string;
  anonymous?: boolean;
  /** Until then the reward is held */
  reserved_until: string;
  /** Given when paid, TK-YYYY-NNNNNN */
  receipt_number?: string;
  /** The person's number among the backers, with the pledge that made them one: when it was paid they had no other. Left out
    when the campaign hides how many have backed it.
     */
  backer_number?: number;
  /** Which of this person's pledges to the campaign it is, in the order in which they were paid; left out until it is */
  nth_pledge?: number;
  paid_at?: string;
  /** As a person reads it, Visa ···· 4242 */
  payment_method?: string;
  /** YYYY-MM, YYYY-MM/YYYY-MM or empty */
  delivery?: string;
  campaign: CampaignPreview;
};
export type OrderToken = string;
export type PledgeAnswer = {
  pledge: Pledge;
  order_token?: OrderToken;
};
export type OnceMore = boolean;
export type VisitorId = string;
export type VisitSource = string;
export type Language = string;
export type PledgeMeta = {
  email: string;
  first_name: string;
  last_name: string;
  quantity?: number;
  /** Place of the chosen added cost in the reward's list; needed when the list is not empty */
  added_cost?: number | null;
  address_street?: string;
  address_postcode?: string;
  address_city?: string;
  address_phone?: string;
  /** ISO 3166-1 alpha-2, FI when left out */
  address_country?: string;
  birthdate?: string;
  residence_country?: string;
  nationality?: string;
  /** The backer's name is not shown */
  anonymous?: boolean;
  /** The sum is not shown to others */
  hide_amount?: boolean;
  visitor?: VisitorId;
  source?: VisitSource;
  language?: Language;
  /** Answers by custom_question_N */
  custom_questions?: {
    [key: string]: string;
  };
};
export type NewPledge = {
  /** The whole sum, major units, at most two decimals */
  amount: number;
  reward_id?: number | null;
  /** Of the reward as the backer saw it; if it is another by now, nothing is made and the answer is reward_changed */
  reward_version?: number;
  once_more?: OnceMore;
  pledge_meta: PledgeMeta;
};
export type FundingRule = "all_or_nothing" | "keep_what_is_raised";
export type LinkedPledge = {
  campaign_id: number;
  reward_id?: number | null;
  status:
    | "created"
    | "awaiting_payment"
    | "processing"
    | "paid"
    | "failed"
    | "expired"
    | "refunded"
    | "partly_refunded"
    | "disputed"
    | "withdrawn";
  amount: Amount;
  amount_refunded?: Amount;
  amount_charged?: ChargedAmount;
  amount_change_refunded?: ChangeRefundedAmount;
  currency: string;
  quantity: number;
  /** A reward comes first */
  lines: PledgeLine[];
  reward_language?: RewardLanguage;
  vat_included?: Amount;
  vat_percentage?: VatBought;
  receipt_number?: string;
  paid_at?: string;
  payment_method?: string;
  funding_rule: FundingRule;
  campaign: CampaignPreview;
};
export type LinkedPledgeAnswer = {
  pledge: LinkedPledge;
};
export type ReceiptLink = {
  token: string;
};
export type OrderLinksRequest = {
  email: string;
  language?: Language;
};
export type BoughtAmount = number;
export type Raise = {
  raise_id: string;
  /** For the Order-Token of the calls about its payment; only with a pledge that a link opens: a session needs none */
  order_token?: string;
  campaign_id: number;
  /** As of a pledge; refunded: its money was not taken and went back; withdrawn: its pledge was taken back while a bank confirmed it */
  status:
    | "created"
    | "awaiting_payment"
    | "processing"
    | "paid"
    | "failed"
    | "expired"
    | "refunded"
    | "withdrawn";
  currency: string;
  amount: BoughtAmount;
  from_amount: BoughtAmount;
  to_amount: BoughtAmount;
  quantity: number;
  /** Empty for support without a reward */
  reward_title: string;
  reward_language?: RewardLanguage;
  /** What the pledge is made of with it */
  lines: PledgeLine[];
  /** Until when its reward is held */
  payable_until: string;
};
export type RaiseAnswer = {
  raise: Raise;
};
export const {
  useOwnAddressQuery,
  useLazyOwnAddressQuery,
  useCreatePledgeMutation,
  useLinkedPledgeQuery,
  useLazyLinkedPledgeQuery,
  useAskOrderLinksMutation,
  usePledgeQuery,
  useLazyPledgeQuery,
  useReleasePledgeMutation,
  useRaiseQuery,
  useLazyRaiseQuery,
  useReleaseRaiseMutation,
} = injectedRtkApi;
