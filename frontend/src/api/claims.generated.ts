import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownClaim: build.query<OwnClaimApiResponse, OwnClaimApiArg>({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/claim/`,
      }),
    }),
    actOnOwnClaim: build.mutation<
      ActOnOwnClaimApiResponse,
      ActOnOwnClaimApiArg
    >({
      query: (queryArg) => ({
        url: `/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/claim/`,
        method: "POST",
        body: queryArg.ownClaimAct,
      }),
    }),
    openedClaim: build.query<OpenedClaimApiResponse, OpenedClaimApiArg>({
      query: (queryArg) => ({
        url: `/pledge-links/claim/`,
        method: "POST",
        body: queryArg.receiptLink,
      }),
    }),
    actOnOpenedClaim: build.mutation<
      ActOnOpenedClaimApiResponse,
      ActOnOpenedClaimApiArg
    >({
      query: (queryArg) => ({
        url: `/pledge-links/claim/act/`,
        method: "POST",
        body: queryArg.openedClaimAct,
      }),
    }),
    claims: build.query<ClaimsApiResponse, ClaimsApiArg>({
      query: (queryArg) => ({
        url: `/claims/`,
        params: {
          of: queryArg["of"],
          language: queryArg.language,
        },
      }),
    }),
    claim: build.query<ClaimApiResponse, ClaimApiArg>({
      query: (queryArg) => ({
        url: `/claims/${encodeURIComponent(String(queryArg.claimId))}/`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    actOnClaim: build.mutation<ActOnClaimApiResponse, ActOnClaimApiArg>({
      query: (queryArg) => ({
        url: `/claims/${encodeURIComponent(String(queryArg.claimId))}/`,
        method: "POST",
        body: queryArg.claimAct,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    refundBacker: build.mutation<RefundBackerApiResponse, RefundBackerApiArg>({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/refunds/`,
        method: "POST",
        body: queryArg.newRefund,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedClaims };
export type OwnClaimApiResponse = /** status 200 The claim */ OwnClaimAnswer;
export type OwnClaimApiArg = {
  pledgeId: PledgeId;
};
export type ActOnOwnClaimApiResponse =
  /** status 200 The claim */ OwnClaimAnswer;
export type ActOnOwnClaimApiArg = {
  pledgeId: PledgeId;
  ownClaimAct: OwnClaimAct;
};
export type OpenedClaimApiResponse = /** status 200 The claim */ OwnClaimAnswer;
export type OpenedClaimApiArg = {
  receiptLink: ReceiptLink;
};
export type ActOnOpenedClaimApiResponse =
  /** status 200 The claim */ OwnClaimAnswer;
export type ActOnOpenedClaimApiArg = {
  openedClaimAct: OpenedClaimAct;
};
export type ClaimsApiResponse = /** status 200 The claims */ ClaimsAnswer;
export type ClaimsApiArg = {
  of: "teams" | "staff";
  language?: Language;
};
export type ClaimApiResponse = /** status 200 The claim */ ClaimPageAnswer;
export type ClaimApiArg = {
  claimId: PledgeId;
  language?: Language;
};
export type ActOnClaimApiResponse = /** status 200 The claim */ ClaimPageAnswer;
export type ActOnClaimApiArg = {
  claimId: PledgeId;
  language?: Language;
  claimAct: ClaimAct;
};
export type RefundBackerApiResponse =
  /** status 200 What goes back */ RefundAnswer;
export type RefundBackerApiArg = {
  campaignId: number;
  newRefund: NewRefund;
};
export type ClaimKind = "not_delivered" | "broken" | "other";
export type PledgeId = string;
export type ClaimState =
  | "open"
  | "resend_offered"
  | "part_offered"
  | "promised"
  | "with_staff"
  | "agreed"
  | "decided"
  | "closed";
export type Amount = number;
export type Day = string;
export type ClaimMessage = {
  id: number;
  at: string;
  by: "backer" | "creator" | "staff" | "clock";
  /** silence: nobody answered in time; overtaken: all went back another way */
  act:
    | "make"
    | "message"
    | "offer_resend"
    | "offer_part"
    | "refund"
    | "decline"
    | "contest"
    | "accept"
    | "refuse"
    | "received"
    | "object"
    | "withdraw"
    | "decide"
    | "silence"
    | "overtaken";
  text: string;
  amount?: Amount;
  day?: Day;
  tracking?: string;
};
export type Claim = {
  claim_id: PledgeId;
  reference: string;
  /** Whose side the reader is on */
  reader: "backer" | "creator" | "staff";
  kind: ClaimKind;
  state: ClaimState;
  version: number;
  made_at: string;
  /** Since when it waits for whoever it waits for */
  waits_from?: string;
  /** Until when that is; of decided: until when the backer may disagree */
  due_at?: string;
  offered?: Amount;
  day?: Day;
  tracking?: string;
  left: Amount;
  returned: Amount;
  currency: string;
  /** What the reader may do with it now */
  may: string[];
  messages: ClaimMessage[];
};
export type OwnClaimAnswer = {
  /** What a claim may be made about now; empty while none may */
  kinds: ClaimKind[];
  /** Until when one may be made, where any may */
  until?: string;
  /** When the month in which the reward was promised is over, if it is not yet */
  not_delivered_from?: string;
  claim?: Claim;
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
export type ClaimKey = string;
export type OwnClaimAct = {
  act:
    | "make"
    | "message"
    | "accept"
    | "refuse"
    | "received"
    | "object"
    | "withdraw";
  key: ClaimKey;
  /** Of the claim that the reader has seen; make has none */
  version?: number;
  kind?: ClaimKind;
  text?: string;
};
export type ReceiptLink = {
  token: string;
};
export type OpenedClaimAct = {
  token: string;
  act: OwnClaimAct;
};
export type ClaimRow = {
  claim_id: PledgeId;
  reference: string;
  kind: ClaimKind;
  state: ClaimState;
  campaign_id: number;
  campaign_title: string;
  backer: string;
  amount: Amount;
  currency: string;
  made_at: string;
  due_at?: string;
};
export type ClaimsAnswer = {
  claims: ClaimRow[];
  /** How many of them wait for the reader */
  waiting: number;
  /** Of teams: those whose backers can be refunded without a claim */
  campaigns: {
    campaign_id: number;
    title: string;
  }[];
};
export type Language = string;
export type RewardLanguage = string;
export type Address = {
  address_street: string;
  address_postcode: string;
  address_city: string;
  /** ISO 3166-1 alpha-2 */
  address_country: string;
  /** Empty when none was given */
  address_phone: string;
};
export type ClaimedPledge = {
  campaign_id: number;
  campaign_title: string;
  backer: string;
  reward_title: string;
  reward_language?: RewardLanguage;
  quantity: number;
  amount: Amount;
  refunded: Amount;
  currency: string;
  paid_at?: string;
  receipt_number: string;
  /** The promised month, 2026-10 or 2026-10/2026-11; empty for none */
  delivery: string;
  address?: Address;
};
export type ClaimPageAnswer = {
  claim: Claim;
  pledge: ClaimedPledge;
};
export type WantedAmount = number;
export type ClaimAct = {
  act:
    | "message"
    | "offer_resend"
    | "offer_part"
    | "refund"
    | "decline"
    | "contest"
    | "decide";
  key: ClaimKey;
  version: number;
  text?: string;
  amount?: WantedAmount;
  day?: Day;
  tracking?: string;
};
export type RefundAnswer = {
  amount: Amount;
  currency: string;
  backer: string;
};
export type NewRefund = {
  receipt_number: string;
  amount?: WantedAmount;
  reason: string;
  key: ClaimKey;
};
export const {
  useOwnClaimQuery,
  useLazyOwnClaimQuery,
  useActOnOwnClaimMutation,
  useOpenedClaimQuery,
  useLazyOpenedClaimQuery,
  useActOnOpenedClaimMutation,
  useClaimsQuery,
  useLazyClaimsQuery,
  useClaimQuery,
  useLazyClaimQuery,
  useActOnClaimMutation,
  useRefundBackerMutation,
} = injectedRtkApi;
