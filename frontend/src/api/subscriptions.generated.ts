import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownSubscriptions: build.query<
      OwnSubscriptionsApiResponse,
      OwnSubscriptionsApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/subscriptions/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    moneyCalendar: build.query<MoneyCalendarApiResponse, MoneyCalendarApiArg>({
      query: (queryArg) => ({
        url: `/users/me/money-calendar/${encodeURIComponent(String(queryArg.language))}/`,
      }),
    }),
    renewCalendarFeed: build.mutation<
      RenewCalendarFeedApiResponse,
      RenewCalendarFeedApiArg
    >({
      query: () => ({ url: `/users/me/calendar-feed/`, method: "PUT" }),
    }),
    endCalendarFeed: build.mutation<
      EndCalendarFeedApiResponse,
      EndCalendarFeedApiArg
    >({
      query: () => ({ url: `/users/me/calendar-feed/`, method: "DELETE" }),
    }),
    ownSpendingLimits: build.query<
      OwnSpendingLimitsApiResponse,
      OwnSpendingLimitsApiArg
    >({
      query: () => ({ url: `/users/me/spending-limits/` }),
    }),
    setOwnSpendingLimit: build.mutation<
      SetOwnSpendingLimitApiResponse,
      SetOwnSpendingLimitApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/spending-limits/${encodeURIComponent(String(queryArg.currency))}/`,
        method: "PUT",
        body: queryArg.spendingLimitChoice,
      }),
    }),
    endOwnSpendingLimit: build.mutation<
      EndOwnSpendingLimitApiResponse,
      EndOwnSpendingLimitApiArg
    >({
      query: (queryArg) => ({
        url: `/users/me/spending-limits/${encodeURIComponent(String(queryArg.currency))}/`,
        method: "DELETE",
      }),
    }),
    createSubscription: build.mutation<
      CreateSubscriptionApiResponse,
      CreateSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/subscriptions/`,
        method: "POST",
        body: queryArg.newSubscription,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    linkedReceipt: build.query<LinkedReceiptApiResponse, LinkedReceiptApiArg>({
      query: (queryArg) => ({
        url: `/subscription-links/receipt/`,
        method: "POST",
        body: queryArg.receiptLink,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    subscriptionRecord: build.query<
      SubscriptionRecordApiResponse,
      SubscriptionRecordApiArg
    >({
      query: (queryArg) => ({
        url: `/v2/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeSubscription: build.mutation<
      ChangeSubscriptionApiResponse,
      ChangeSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/v2/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/`,
        method: "POST",
        body: queryArg.subscriptionChange,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSubscriptions };
export type OwnSubscriptionsApiResponse =
  /** status 200 Subscriptions */ SubscriptionsAnswer;
export type OwnSubscriptionsApiArg = {
  language: Language;
  limit?: number;
  offset?: number;
};
export type MoneyCalendarApiResponse =
  /** status 200 The calendar */ MoneyCalendarAnswer;
export type MoneyCalendarApiArg = {
  language: Language;
};
export type RenewCalendarFeedApiResponse =
  /** status 200 The address */ CalendarFeedAnswer;
export type RenewCalendarFeedApiArg = void;
export type EndCalendarFeedApiResponse = unknown;
export type EndCalendarFeedApiArg = void;
export type OwnSpendingLimitsApiResponse =
  /** status 200 The limits */ SpendingLimitsAnswer;
export type OwnSpendingLimitsApiArg = void;
export type SetOwnSpendingLimitApiResponse =
  /** status 200 The limits */ SpendingLimitsAnswer;
export type SetOwnSpendingLimitApiArg = {
  currency: string;
  spendingLimitChoice: SpendingLimitChoice;
};
export type EndOwnSpendingLimitApiResponse =
  /** status 200 The limits */ SpendingLimitsAnswer;
export type EndOwnSpendingLimitApiArg = {
  currency: string;
};
export type CreateSubscriptionApiResponse =
  /** status 201 The subscription */ SubscriptionAnswer;
export type CreateSubscriptionApiArg = {
  campaignId: number;
  /** The same key and body replays the stored answer; with another body it is refused. A key is the caller's own (the signed-in person's, else their address's), another's is another. */
  "Idempotency-Key"?: string;
  newSubscription: NewSubscription;
};
export type LinkedReceiptApiResponse =
  /** status 200 The receipt */ LinkedReceiptAnswer;
export type LinkedReceiptApiArg = {
  language?: Language;
  receiptLink: ReceiptLink;
};
export type SubscriptionRecordApiResponse =
  /** status 200 The subscription */ SubscriptionAnswer;
export type SubscriptionRecordApiArg = {
  subscriptionId: PledgeId;
  language?: Language;
};
export type ChangeSubscriptionApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type ChangeSubscriptionApiArg = {
  subscriptionId: PledgeId;
  subscriptionChange: SubscriptionChange;
};
export type PledgeId = string;
export type RewardLanguage = string;
export type Amount = number;
export type NameShown = "full_name" | "initial" | "anonymous";
export type HideAmount = boolean;
export type VatBought = number;
export type ChargeReceipt = {
  period: number;
  /** When the money came */
  day: string;
  amount: Amount;
  amount_refunded: Amount;
  vat_included: Amount;
  vat_percentage?: VatBought;
  status: "paid" | "refunded" | "partly_refunded" | "disputed";
  /** TM-YYYY-NNNNNN */
  receipt_number: string;
  payment_method?: string;
};
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
export type Subscription = {
  subscription_id: PledgeId;
  campaign_id: number;
  reward_id?: number | null;
  /** As it was chosen; left out without a reward */
  reward_title?: string;
  reward_language?: RewardLanguage;
  status: "created" | "active" | "past_due" | "paused" | "canceled" | "expired";
  amount: Amount;
  next_amount?: Amount;
  /** Of a change that has not begun, as next_reward_title */
  next_reward_id?: number;
  next_reward_title?: string;
  next_reward_language?: RewardLanguage;
  currency: string;
  email?: string;
  first_name: string;
  last_name?: string;
  name_shown: NameShown;
  hide_amount: HideAmount;
  /** Of created: until then the first month is to be paid */
  payable_until?: string;
  /** The day of the first charge */
  begun_on?: string;
  next_charge_on?: string;
  /** The day of a month that waits because it would cross the spending limit */
  held_on?: string;
  paid_until?: string;
  ends_on?: string;
  ended_because?: string;
  payment_method?: string;
  /** The latest first */
  charges: ChargeReceipt[];
  campaign: CampaignPreview;
};
export type SubscriptionsAnswer = {
  subscriptions: Subscription[];
  total: Count;
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
export type CalendarCharge = {
  day: string;
  amount: Amount;
  period: number;
  /** waiting: its charge has failed. held: it would cross the spending limit and waits for an answer. Coming ones are as things stand now */
  state: "charged" | "returned" | "waiting" | "held" | "coming";
};
export type CalendarSupport = {
  subscription_id: PledgeId;
  status: "created" | "active" | "past_due" | "paused" | "canceled" | "expired";
  currency: string;
  payment_method?: string;
  /** Whether the spending limit counts it: support that was begun without signing in is not */
  is_in_limit: boolean;
  /** When the month that waits is tried again: it is charged on that day, and not on its own. None when it is tried no more */
  next_try_on?: string;
  /** In their order */
  charges: CalendarCharge[];
  campaign: CampaignPreview;
};
export type MoneyCalendarAnswer = {
  today: string;
  /** Without those that neither charged nor will */
  supports: CalendarSupport[];
  /** The secret address for calendar programs; none while it is off */
  feed_url?: string;
};
export type CalendarFeedAnswer = {
  feed_url: string;
};
export type SpendingLimit = {
  currency: string;
  amount: Amount;
  /** Whether single pledges count too, beside monthly support */
  counts_pledges: boolean;
};
export type SpendingLimitsAnswer = {
  /** By currency */
  spending_limits: SpendingLimit[];
};
export type SpendingLimitChoice = {
  /** Major units, at most two decimals */
  amount: number;
  counts_pledges: boolean;
};
export type OrderToken = string;
export type SubscriptionAnswer = {
  subscription: Subscription;
  order_token?: OrderToken;
};
export type OnceMore = boolean;
export type VisitorId = string;
export type VisitSource = string;
export type SubscriptionMeta = {
  /** The supporter's name is not shown */
  anonymous?: boolean;
  /** The sum a month is not shown to others */
  hide_amount?: boolean;
  language?: Language;
  visitor?: VisitorId;
  source?: VisitSource;
};
export type NewSubscription = {
  /** A month, major units, at most two decimals */
  amount: number;
  reward_id?: number | null;
  email: string;
  first_name: string;
  last_name: string;
  once_more?: OnceMore;
  subscription_meta?: SubscriptionMeta;
};
export type LinkedReceiptAnswer = {
  receipt: ChargeReceipt;
  currency: string;
  /** As it was bought; left out without a reward */
  reward_title?: string;
  reward_language?: RewardLanguage;
  campaign: CampaignPreview;
};
export type ReceiptLink = {
  token: string;
};
export type SubscriptionChange = {
  amount?: number;
  reward_id?: number | null;
  email?: string;
  first_name?: string;
  last_name?: string;
  subscription_meta?: SubscriptionMeta;
};
export const {
  useOwnSubscriptionsQuery,
  useLazyOwnSubscriptionsQuery,
  useMoneyCalendarQuery,
  useLazyMoneyCalendarQuery,
  useRenewCalendarFeedMutation,
  useEndCalendarFeedMutation,
  useOwnSpendingLimitsQuery,
  useLazyOwnSpendingLimitsQuery,
  useSetOwnSpendingLimitMutation,
  useEndOwnSpendingLimitMutation,
  useCreateSubscriptionMutation,
  useLinkedReceiptQuery,
  useLazyLinkedReceiptQuery,
  useSubscriptionRecordQuery,
  useLazySubscriptionRecordQuery,
  useChangeSubscriptionMutation,
} = injectedRtkApi;
