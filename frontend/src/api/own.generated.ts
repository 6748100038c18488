import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownPledges: build.query<OwnPledgesApiResponse, OwnPledgesApiArg>({
      query: (queryArg) => ({
        url: `/users/me/pledges/${encodeURIComponent(String(queryArg.language))}/`,
        params: {
          show: queryArg.show,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    ownMenu: build.query<OwnMenuApiResponse, OwnMenuApiArg>({
      query: () => ({ url: `/users/me/menu/` }),
    }),
    ownInCampaign: build.query<OwnInCampaignApiResponse, OwnInCampaignApiArg>({
      query: (queryArg) => ({
        url: `/users/me/backed/${encodeURIComponent(String(queryArg.campaignId))}/`,
      }),
    }),
    changePledge: build.mutation<ChangePledgeApiResponse, ChangePledgeApiArg>({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/`,
        method: "PATCH",
        body: queryArg.pledgeChange,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    withdrawPledge: build.mutation<
      WithdrawPledgeApiResponse,
      WithdrawPledgeApiArg
    >({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/withdrawal/`,
        method: "POST",
        params: {
          language: queryArg.language,
        },
      }),
    }),
    changeChoice: build.mutation<ChangeChoiceApiResponse, ChangeChoiceApiArg>({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/choice/`,
        method: "POST",
        body: queryArg.pledgeChoice,
        params: {
          language: queryArg.language,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedOwn };
export type OwnPledgesApiResponse = /** status 200 Pledges */ OwnPledgesAnswer;
export type OwnPledgesApiArg = {
  language: Language;
  /** going_on: money is asked for, on its way or held; over: it went back, or the bank refused */
  show?: "going_on" | "over";
  limit?: number;
  offset?: number;
};
export type OwnMenuApiResponse = /** status 200 The menu */ OwnMenu;
export type OwnMenuApiArg = void;
export type OwnInCampaignApiResponse =
  /** status 200 One's own */ OwnInCampaign;
export type OwnInCampaignApiArg = {
  campaignId: number;
};
export type ChangePledgeApiResponse =
  /** status 200 As it is now */ OwnPledgeAnswer;
export type ChangePledgeApiArg = {
  pledgeId: PledgeId;
  language?: Language;
  pledgeChange: PledgeChange;
};
export type WithdrawPledgeApiResponse =
  /** status 200 As it is now */ OwnPledgeAnswer;
export type WithdrawPledgeApiArg = {
  pledgeId: PledgeId;
  language?: Language;
};
export type ChangeChoiceApiResponse =
  /** status 200 As it is now */ OwnPledgeAnswer;
export type ChangeChoiceApiArg = {
  pledgeId: PledgeId;
  language?: Language;
  pledgeChoice: PledgeChoice;
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
export type PledgeCharge = {
  amount: BoughtAmount;
  paid_at: string;
  /** Visa ···· 4242 */
  payment_method?: string;
};
export type PledgeChoiceState = {
  /** open: they may; waits: a change to a higher sum waits for its payment (raise); settling: a bank still confirms it, or its further charge; contested: a bank decides about its money; part_returned: a part of it went back for
    another reason; on_hold: its campaign is; over: its campaign's last second has passed, or it was closed; none: nothing of it is paid, or
    it was taken back
     */
  state:
    | "open"
    | "waits"
    | "settling"
    | "contested"
    | "part_returned"
    | "on_hold"
    | "over"
    | "none";
  /** How often it was changed */
  number: number;
  /** Of open: the moment from which it may not */
  until?: string;
  /** The last time */
  changed_at?: string;
  raise?: Raise;
  /** What was paid for it, in order; left out of one charge */
  charges?: PledgeCharge[];
  unit?: BoughtAmount;
  added?: BoughtAmount;
  extra?: BoughtAmount;
};
export type PledgeWithdrawal = {
  /** open: it may be taken back; counting: its campaign's last day is over and it has not ended yet: it may be again if the money becomes
    its creator's; over: it may not any more; contested: a bank has all that is left of its money; done: it was taken back; none: nothing of it
    was paid, or all of it went back
     */
  state: "open" | "counting" | "over" | "contested" | "done" | "none";
  /** Of open: campaign, until its campaign's last second; not_sent, its goods are not on their way; sent, for some days after they
    were; contract, for some days after its campaign has ended. Of over: term_over, those days have passed; made_to_order, what is made
    to one's own wishes; gift, support without a reward; goes_back, its campaign has ended and everybody gets their money back
     */
  reason?:
    | "campaign"
    | "not_sent"
    | "sent"
    | "contract"
    | "term_over"
    | "made_to_order"
    | "gift"
    | "goes_back";
  /** Of open: the moment from which it may not. Left out when there is none yet */
  until?: string;
  /** Of not_sent: how many it may be taken back after the reward was received */
  days?: number;
  /** The day on which its creator sent its reward */
  sent_on?: string;
  /** Of done: when */
  at?: string;
};
export type FundingRule = "all_or_nothing" | "keep_what_is_raised";
export type NameShown = "full_name" | "initial" | "anonymous";
export type HideAmount = boolean;
export type Address = {
  address_street: string;
  address_postcode: string;
  address_city: string;
  /** ISO 3166-1 alpha-2 */
  address_country: string;
  /** Empty when none was given */
  address_phone: string;
};
export type PledgeShipping = {
  address: Address;
  /** open: it may be changed; packed: the creator has taken the addresses since the campaign ended; delivery_month: the (first) month of delivery has begun */
  state: "open" | "packed" | "delivery_month";
  /** Of open: when the month of delivery begins. Left out when none is told */
  locks_at?: string;
  /** Of the other states */
  locked_at?: string;
};
export type ContestedAmount = number;
export type OwnPledge = Pledge & {
  choice: PledgeChoiceState;
  withdrawal: PledgeWithdrawal;
  funding_rule: FundingRule;
  last_name: string;
  name_shown: NameShown;
  hide_amount: HideAmount;
  /** As it was bought; empty for support without a reward */
  reward_title: string;
  promised_at: string;
  /** When the backer paid; their bank may still have been confirming it */
  charged_at?: string;
  /** The last time that money went back */
  refunded_at?: string;
  /** When the bank refused */
  failed_at?: string;
  shipping?: PledgeShipping;
  amount_contested?: ContestedAmount;
};
export type PledgeSums = {
  currency: string;
  held: Amount;
  on_its_way: Amount;
  contested: Amount;
  returned: Amount;
};
export type OwnPledgesAnswer = {
  pledges: OwnPledge[];
  /** As many as the filter shows */
  total: number;
  going_on: Count;
  over: Count;
  /** By currency; empty before money has moved */
  sums: PledgeSums[];
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
export type MonthlySum = {
  currency: string;
  amount: Amount;
};
export type OwnMenu = {
  image_filename: string;
  pledges: Count;
  /** What support that goes on charges in a month, by currency; empty without any */
  monthly: MonthlySum[];
  /** Left out if none is coming */
  next_charge_on?: string;
  campaigns: Count;
  /** Campaigns whose team has something to do: what the review asked for, or a payout account */
  campaigns_waiting: number;
  claims: Count;
  /** Those of them that wait for the team's answer */
  claims_waiting: number;
  invitations: Count;
  /** All that waits for this person: months that failed or wait for an answer, their campaigns and claims that wait, and invitations */
  waiting: number;
};
export type OwnPledgeIn = {
  pledge_id: PledgeId;
  status: "processing" | "paid" | "partly_refunded" | "disputed";
  amount: Amount;
  currency: string;
  quantity: number;
  /** Left out for support without a reward */
  reward_title?: string;
  reward_language?: RewardLanguage;
  charged_at: string;
};
export type OwnSupportIn = {
  subscription_id: PledgeId;
  /** processing: a bank has the money of the first month, and may yet refuse it */
  status: "processing" | "active" | "past_due" | "paused";
  amount: Amount;
  next_amount?: Amount;
  currency: string;
  reward_title?: string;
  reward_language?: RewardLanguage;
  /** The day of the first charge */
  begun_on: string;
  /** Of paused support the day on which it goes on */
  next_charge_on?: string;
  /** The day of a month whose charge has failed */
  due_on?: string;
  /** The day of a month that waits because it would cross the spending limit */
  held_on?: string;
  ends_on?: string;
  payment_method?: string;
};
export type OwnInCampaign = {
  pledges: OwnPledgeIn[];
  subscriptions: OwnSupportIn[];
};
export type OwnPledgeAnswer = {
  pledge: OwnPledge;
};
export type PledgeChange = {
  name_shown?: NameShown;
  hide_amount?: HideAmount;
  /** A whole one, named as in PledgeMeta */
  address?: {
    address_street: string;
    address_postcode: string;
    address_city: string;
    /** ISO 3166-1 alpha-2, FI when left out */
    address_country?: string;
    address_phone?: string;
  };
};
export type PledgeChoice = {
  /** Of the caller; the same one again changes nothing */
  key: string;
  /** choice.number as the caller saw it */
  number: number;
  /** null: support without a reward */
  reward_id: number | null;
  /** The reward's as the caller saw it */
  reward_version?: number;
  quantity: number;
  /** The whole sum */
  amount: number;
  /** As in PledgeMeta; left out where that stays as it was bought */
  added_cost?: number;
  address_street?: string;
  address_postcode?: string;
  address_city?: string;
  address_phone?: string;
  address_country?: string;
  /** Answers by custom_question_N */
  custom_questions?: {
    [key: string]: string;
  };
};
export const {
  useOwnPledgesQuery,
  useLazyOwnPledgesQuery,
  useOwnMenuQuery,
  useLazyOwnMenuQuery,
  useOwnInCampaignQuery,
  useLazyOwnInCampaignQuery,
  useChangePledgeMutation,
  useWithdrawPledgeMutation,
  useChangeChoiceMutation,
} = injectedRtkApi;
