import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    setupSubscriptionPayment: build.mutation<
      SetupSubscriptionPaymentApiResponse,
      SetupSubscriptionPaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/setup`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    subscription: build.query<SubscriptionApiResponse, SubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}`,
      }),
    }),
    subscriptionPayment: build.query<
      SubscriptionPaymentApiResponse,
      SubscriptionPaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/payment`,
      }),
    }),
    cancelSubscription: build.mutation<
      CancelSubscriptionApiResponse,
      CancelSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/cancel`,
        method: "POST",
        body: queryArg.subscriptionCancel,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    modifySubscriptionLevel: build.mutation<
      ModifySubscriptionLevelApiResponse,
      ModifySubscriptionLevelApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/modify-level`,
        method: "POST",
        body: queryArg.subscriptionLevelChange,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    skipSubscriptionMonth: build.mutation<
      SkipSubscriptionMonthApiResponse,
      SkipSubscriptionMonthApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/skip`,
        method: "POST",
        body: queryArg.subscriptionSkip,
      }),
    }),
    pauseSubscription: build.mutation<
      PauseSubscriptionApiResponse,
      PauseSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/pause`,
        method: "POST",
        body: queryArg.subscriptionPause,
      }),
    }),
    resumeSubscription: build.mutation<
      ResumeSubscriptionApiResponse,
      ResumeSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/resume`,
        method: "POST",
      }),
    }),
    setSubscriptionNotices: build.mutation<
      SetSubscriptionNoticesApiResponse,
      SetSubscriptionNoticesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/notices`,
        method: "POST",
        body: queryArg.subscriptionNotices,
      }),
    }),
    setupSubscriptionCard: build.mutation<
      SetupSubscriptionCardApiResponse,
      SetupSubscriptionCardApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/card`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    changeSubscriptionCard: build.mutation<
      ChangeSubscriptionCardApiResponse,
      ChangeSubscriptionCardApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscriptions/${encodeURIComponent(String(queryArg.subscriptionId))}/card`,
        method: "PUT",
        body: queryArg.cardChange,
      }),
    }),
    lookAtSubscriptionLink: build.query<
      LookAtSubscriptionLinkApiResponse,
      LookAtSubscriptionLinkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscription-links/look`,
        method: "POST",
        body: queryArg.linkToken,
      }),
    }),
    setupSubscriptionLink: build.mutation<
      SetupSubscriptionLinkApiResponse,
      SetupSubscriptionLinkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscription-links/setup`,
        method: "POST",
        body: queryArg.linkToken,
      }),
    }),
    followSubscriptionLink: build.mutation<
      FollowSubscriptionLinkApiResponse,
      FollowSubscriptionLinkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/subscription-links/act`,
        method: "POST",
        body: queryArg.linkUse,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedSubscriptionPayments };
export type SetupSubscriptionPaymentApiResponse =
  /** status 200 The intent's client secret */ SubscriptionSetupAnswer;
export type SetupSubscriptionPaymentApiArg = {
  subscriptionId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
};
export type SubscriptionApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type SubscriptionApiArg = {
  subscriptionId: string;
};
export type SubscriptionPaymentApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type SubscriptionPaymentApiArg = {
  subscriptionId: string;
};
export type CancelSubscriptionApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type CancelSubscriptionApiArg = {
  subscriptionId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
  subscriptionCancel: SubscriptionCancel;
};
export type ModifySubscriptionLevelApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type ModifySubscriptionLevelApiArg = {
  subscriptionId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
  subscriptionLevelChange: SubscriptionLevelChange;
};
export type SkipSubscriptionMonthApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type SkipSubscriptionMonthApiArg = {
  subscriptionId: string;
  subscriptionSkip: SubscriptionSkip;
};
export type PauseSubscriptionApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type PauseSubscriptionApiArg = {
  subscriptionId: string;
  subscriptionPause: SubscriptionPause;
};
export type ResumeSubscriptionApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type ResumeSubscriptionApiArg = {
  subscriptionId: string;
};
export type SetSubscriptionNoticesApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type SetSubscriptionNoticesApiArg = {
  subscriptionId: string;
  subscriptionNotices: SubscriptionNotices;
};
export type SetupSubscriptionCardApiResponse =
  /** status 200 The setup intent's client secret */ CardSetupAnswer;
export type SetupSubscriptionCardApiArg = {
  subscriptionId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
};
export type ChangeSubscriptionCardApiResponse =
  /** status 200 As it is now */ SubscriptionAnswer;
export type ChangeSubscriptionCardApiArg = {
  subscriptionId: string;
  cardChange: CardChange;
};
export type LookAtSubscriptionLinkApiResponse =
  /** status 200 How things stand with its act */ SubscriptionLinkAnswer;
export type LookAtSubscriptionLinkApiArg = {
  linkToken: LinkToken;
};
export type SetupSubscriptionLinkApiResponse =
  /** status 200 The client secret of the payment intent or the setup intent */ SubscriptionLinkSetup;
export type SetupSubscriptionLinkApiArg = {
  linkToken: LinkToken;
};
export type FollowSubscriptionLinkApiResponse =
  /** status 200 How things stand with its act */ SubscriptionLinkAnswer;
export type FollowSubscriptionLinkApiArg = {
  linkUse: LinkUse;
};
export type SubscriptionReward = {
  reward_id: number;
  /** By language */
  title: {
    [key: string]: string;
  };
  /** By language */
  description: {
    [key: string]: string;
  };
};
export type SubscriptionLevel = {
  amount_minor: number;
  reward?: SubscriptionReward;
  /** Of a change: the month that it begins with */
  from_period?: number;
};
export type NextCharge = {
  period: number;
  day: string;
  amount_minor: number;
};
export type HeldMonth = {
  period: number;
  day: string;
  amount_minor: number;
  limit_minor: number;
  /** What the calendar month of its charge would come to */
  total_minor: number;
};
export type Payment = {
  payment_id: string;
  /** Of a pledge */
  pledge_id?: string;
  /** Of a month of a subscription */
  subscription_id?: string;
  status:
    | "created"
    | "requires_action"
    | "processing"
    | "succeeded"
    | "failed"
    | "canceled"
    | "refunded"
    | "partly_refunded"
    | "disputed";
  amount_minor: number;
  currency: string;
  /** A code of payment_failed in errors.yaml, from the last attempt; too_many_declines when the payment has ended for them */
  failure_code?: string;
  /** Visa ···· 4242 */
  method?: string;
};
export type DueMonth = {
  period: number;
  day: string;
  amount_minor: number;
  /** The bank wants the backer to confirm, or the card is of no use any more: no try of ours is coming */
  needs_backer?: boolean;
  /** Days on which a charge was refused */
  tries: string[];
  coming_tries: string[];
  /** Then the support waits for a payment */
  gives_up_on?: string;
  payment?: Payment;
};
export type SavedCard = {
  /** Visa ···· 4242 */
  label: string;
  /** YYYY-MM */
  expires: string;
  /** Other subscriptions of the same person have it as well */
  is_shared?: boolean;
};
export type SubscriptionCharge = {
  period: number;
  /** When it was charged; of others, its day in the calendar */
  day: string;
  status:
    | "paid"
    | "processing"
    | "skipped"
    | "failed"
    | "refunded"
    | "partly_refunded"
    | "disputed";
  amount_minor: number;
  amount_refunded_minor: number;
  method?: string;
  /** At which try it went through */
  tries?: number;
  payment_id?: string;
};
export type SubscriptionMonth = {
  period: number;
  day: string;
  state: "paid" | "processing" | "skipped" | "failed" | "next" | "coming";
  amount_minor: number;
};
export type Subscription = {
  id: string;
  /** The campaign */
  projectId: number;
  /** created: the first month is not paid yet. active: charged each month; a failed charge is tried again. past_due:
    the tries have ended, nothing is charged until the backer pays. paused: by the backer, until a month. canceled:
    over. expired: the first month was never paid.
     */
  status: "created" | "active" | "past_due" | "paused" | "canceled" | "expired";
  meta: {
    language: string;
    /** Of canceled. fraud_disputed: the card's bank, or its holder through the network, says that its owner did not know of a charge */
    ended_because?:
      | "asked"
      | "campaign_closed"
      | "campaign_on_hold"
      | "unpaid"
      | "person_blocked"
      | "person_erased"
      | "fraud_disputed";
  };
  level: SubscriptionLevel;
  reward?: SubscriptionReward;
  next_level?: SubscriptionLevel;
  currency: string;
  /** The day of the first charge; each month's day follows from it */
  anchor_day?: string;
  next_charge?: NextCharge;
  held?: HeldMonth;
  due?: DueMonth;
  /** The last day of what is paid */
  paid_until?: string;
  /** Of a subscription that is to end: the last day of what is paid */
  ends_on?: string;
  /** Of paused: the day of the next charge */
  paused_until?: string;
  notify_before: boolean;
  /** Its campaign is on hold: no month is charged until it goes on */
  on_hold?: boolean;
  card?: SavedCard;
  /** The latest first, with months that were left out; at most 120 */
  charges: SubscriptionCharge[];
  /** At most twelve in their order: those before, the next one and those after */
  months: SubscriptionMonth[];
};
export type SubscriptionSetupAnswer = {
  stripe: {
    payment_intent: {
      id: string;
      client_secret: string;
    };
    publishable_key: string;
  };
  subscription: Subscription;
};
export type ApiError = {
  status: string;
  code?: string;
  message: string;
  fields?: {
    path: string;
    rule: string;
    message: string;
  }[];
  /** Of status spending_limit_exceeded: currency, limit_minor, total_minor (what the month would come to) and month (YYYY-MM, the first that would cross the limit). Of payment_open_at_bank: until (a time), when it ends at the latest */
  params?: {
    [key: string]: any;
  };
  request_id: string;
};
export type SubscriptionAnswer = {
  subscription: Subscription;
};
export type SubscriptionCancel = {
  at?: "now" | "period_end";
  /** Ends it only while its first month is not paid. Once that is paid the answer is pledge_already_paid, and pledge_settling while its
    bank has the payment; one that has ended before its first month stays as it is. Always so by an order token
     */
  only_unpaid?: boolean;
};
export type SubscriptionLevelChange = {
  /** A month, major units, at most two decimals */
  amount: number;
  /** Left out or null is support without a reward */
  reward_id?: number | null;
};
export type SubscriptionSkip = {
  /** Which month; those before the next one are refused */
  period: number;
};
export type SubscriptionPause = {
  /** The first month that is charged again; at most twelve after the next one */
  until_period: number;
};
export type SubscriptionNotices = {
  notify_before: boolean;
};
export type CardSetupAnswer = {
  stripe: {
    setup_intent: {
      id: string;
      client_secret: string;
    };
    publishable_key: string;
  };
};
export type CardChange = {
  /** Its id */
  setup_intent?: string;
  /** Other subscriptions of the same person that get the card too; those that have another card than the old one or
    another payer at the provider are passed over. With one that is not theirs nothing is done (not_your_order).
     */
  also?: string[];
};
export type SubscriptionLink = {
  act: "skip" | "pause" | "resume" | "cancel" | "pay" | "card";
  /** open: it can be done. done: it has been, by this link or otherwise. processing: the bank has the payment. gone: it
    cannot be done any more. ended: the subscription is over.
     */
  state: "open" | "done" | "processing" | "gone" | "ended";
  campaign_title: string;
  currency: string;
  /** What is left out, or is to be paid */
  amount_minor?: number;
  /** Of the month that skip leaves out, pause begins with or pay pays */
  day?: string;
  next_charge?: NextCharge;
  /** The last day of what is paid, once it is cancelled; without one it ends at once */
  ends_on?: string;
  /** Of pay and card: the card that is charged now, as Visa ···· 4242 */
  card?: string;
  /** Of card: a month that is to be paid is charged to the new card at once */
  tries_at_once?: boolean;
};
export type SubscriptionLinkAnswer = {
  link: SubscriptionLink;
};
export type LinkToken = {
  token: string;
};
export type SubscriptionLinkSetup = {
  client_secret: string;
  intent_id: string;
};
export type LinkUse = {
  token: string;
  /** Of the act card: which has kept the card */
  setup_intent?: string;
};
export const {
  useSetupSubscriptionPaymentMutation,
  useSubscriptionQuery,
  useLazySubscriptionQuery,
  useSubscriptionPaymentQuery,
  useLazySubscriptionPaymentQuery,
  useCancelSubscriptionMutation,
  useModifySubscriptionLevelMutation,
  useSkipSubscriptionMonthMutation,
  usePauseSubscriptionMutation,
  useResumeSubscriptionMutation,
  useSetSubscriptionNoticesMutation,
  useSetupSubscriptionCardMutation,
  useChangeSubscriptionCardMutation,
  useLookAtSubscriptionLinkQuery,
  useLazyLookAtSubscriptionLinkQuery,
  useSetupSubscriptionLinkMutation,
  useFollowSubscriptionLinkMutation,
} = injectedRtkApi;
