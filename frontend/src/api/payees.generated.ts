import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ownPayees: build.query<OwnPayeesApiResponse, OwnPayeesApiArg>({
      query: () => ({ url: `/api/users/me/payees` }),
    }),
    ownPayouts: build.query<OwnPayoutsApiResponse, OwnPayoutsApiArg>({
      query: () => ({ url: `/api/users/me/payouts` }),
    }),
    payoutStatement: build.query<
      PayoutStatementApiResponse,
      PayoutStatementApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/me/payouts/${encodeURIComponent(String(queryArg.runId))}`,
      }),
    }),
    payoutLines: build.query<PayoutLinesApiResponse, PayoutLinesApiArg>({
      query: (queryArg) => ({
        url: `/api/users/me/payouts/${encodeURIComponent(String(queryArg.runId))}/lines`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
    onboardStripeAccount: build.mutation<
      OnboardStripeAccountApiResponse,
      OnboardStripeAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/stripe/onboard`,
        method: "POST",
        body: queryArg.stripeOnboarding,
      }),
    }),
    linkStripeAccount: build.mutation<
      LinkStripeAccountApiResponse,
      LinkStripeAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/stripe/onboard/${encodeURIComponent(String(queryArg.id))}`,
        method: "POST",
        body: queryArg.stripeLinking,
      }),
    }),
    updateStripeAccount: build.mutation<
      UpdateStripeAccountApiResponse,
      UpdateStripeAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/stripe/onboard/${encodeURIComponent(String(queryArg.id))}/update`,
        method: "POST",
      }),
    }),
    openStripeDashboard: build.mutation<
      OpenStripeDashboardApiResponse,
      OpenStripeDashboardApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/stripe/onboard/${encodeURIComponent(String(queryArg.id))}/dashboard`,
        method: "POST",
      }),
    }),
    createCreatorAccount: build.mutation<
      CreateCreatorAccountApiResponse,
      CreateCreatorAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/create-creator-account`,
        method: "POST",
        body: queryArg.creatorAccount,
      }),
    }),
    verifyCreatorAccount: build.mutation<
      VerifyCreatorAccountApiResponse,
      VerifyCreatorAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/verification`,
        method: "POST",
        body: queryArg.creatorVerification,
      }),
    }),
    addPayoutBank: build.mutation<
      AddPayoutBankApiResponse,
      AddPayoutBankApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/payout-banks`,
        method: "POST",
        body: queryArg.newPayoutBank,
      }),
    }),
    payoutBankFields: build.query<
      PayoutBankFieldsApiResponse,
      PayoutBankFieldsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/payout-banks/fields`,
        params: {
          country: queryArg.country,
        },
      }),
    }),
    confirmPayoutBank: build.mutation<
      ConfirmPayoutBankApiResponse,
      ConfirmPayoutBankApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/payout-banks/${encodeURIComponent(String(queryArg.bankId))}/confirmation`,
        method: "POST",
        body: queryArg.creatorVerification,
      }),
    }),
    endPayoutBank: build.mutation<
      EndPayoutBankApiResponse,
      EndPayoutBankApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/mangopay/payout-banks/${encodeURIComponent(String(queryArg.bankId))}`,
        method: "DELETE",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedPayees };
export type OwnPayeesApiResponse = /** status 200 The accounts */ PayeesAnswer;
export type OwnPayeesApiArg = void;
export type OwnPayoutsApiResponse = /** status 200 The payouts */ PayoutsAnswer;
export type OwnPayoutsApiArg = void;
export type PayoutStatementApiResponse =
  /** status 200 The statement */ PayoutStatement;
export type PayoutStatementApiArg = {
  runId: string;
};
export type PayoutLinesApiResponse = /** status 200 The payments */ Blob;
export type PayoutLinesApiArg = {
  runId: string;
  /** Of the head */
  language: "fi" | "en" | "sv";
};
export type OnboardStripeAccountApiResponse =
  /** status 200 The account */ StripeAccountAnswer;
export type OnboardStripeAccountApiArg = {
  stripeOnboarding: StripeOnboarding;
};
export type LinkStripeAccountApiResponse =
  /** status 200 The address */ StripeLinkAnswer;
export type LinkStripeAccountApiArg = {
  id: string;
  stripeLinking: StripeLinking;
};
export type UpdateStripeAccountApiResponse =
  /** status 200 The account */ StripeAccountAnswer;
export type UpdateStripeAccountApiArg = {
  id: string;
};
export type OpenStripeDashboardApiResponse =
  /** status 200 The address */ StripeLinkAnswer;
export type OpenStripeDashboardApiArg = {
  id: string;
};
export type CreateCreatorAccountApiResponse =
  /** status 200 The account */ CreatorAccountAnswer;
export type CreateCreatorAccountApiArg = {
  creatorAccount: CreatorAccount;
};
export type VerifyCreatorAccountApiResponse =
  /** status 200 The account */ CreatorAccountAnswer;
export type VerifyCreatorAccountApiArg = {
  creatorVerification: CreatorVerification;
};
export type AddPayoutBankApiResponse =
  /** status 200 The account */ PayoutBankAnswer;
export type AddPayoutBankApiArg = {
  newPayoutBank: NewPayoutBank;
};
export type PayoutBankFieldsApiResponse =
  /** status 200 The fields */ PayoutBankFields;
export type PayoutBankFieldsApiArg = {
  /** Of the account's number */
  country: string;
};
export type ConfirmPayoutBankApiResponse =
  /** status 200 The account */ PayoutBankAnswer;
export type ConfirmPayoutBankApiArg = {
  bankId: string;
  creatorVerification: CreatorVerification;
};
export type EndPayoutBankApiResponse = unknown;
export type EndPayoutBankApiArg = {
  bankId: string;
};
export type PayoutBank = {
  bank_id: string;
  /** Of its number */
  country: string;
  last_four: string;
  /** asking: the provider has not answered, and is asked what came of it. pending: its owner has to confirm it. active: it is in use.
    ending, ended: it is in use no more. canceled: it was not confirmed. refused: the provider does not take it. unmade: it has not reached the
    provider.
     */
  state:
    | "asking"
    | "pending"
    | "active"
    | "ending"
    | "ended"
    | "canceled"
    | "refused"
    | "unmade";
  /** Whether its bank knows it by the name that was given */
  name_check?: "match" | "close_match" | "no_match" | "unknown";
  added_at: string;
  /** Of an active one; nothing is paid out to it before */
  pays_from?: string;
  /** The last payout to it has failed or come back */
  has_failed: boolean;
};
export type Payee = {
  provider: "stripe" | "mangopay";
  type: "natural" | "legal";
  /** begun: the person has something to do. checking: the provider has. ready: money can be taken and sent. restricted: it was ready, and
    is not any more until the needs are met. closed: it ends, and another one is needed.
     */
  state: "begun" | "checking" | "ready" | "restricted" | "closed";
  /** The provider's id of its owner */
  account_id: string;
  /** Of provider B */
  wallet_id?: string;
  needs: {
    code:
      | "enrollment"
      | "consents"
      | "identity"
      | "identity_again"
      | "blocked_inflows"
      | "blocked_outflows"
      | "person"
      | "address"
      | "company"
      | "company_papers"
      | "owners"
      | "bank"
      | "terms"
      | "business"
      | "details"
      | "review"
      | "currency"
      | "rejected"
      | "support";
    by?: string;
  }[];
  /** When the provider was asked last */
  looked_at?: string;
  /** Of provider B: the bank account in use, and the newest other one if it is later, the newest first */
  banks?: PayoutBank[];
};
export type PayeesAnswer = {
  payees: Payee[];
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
export type PayoutCarried = {
  /** How much waits */
  sum_minor: number;
  /** From how much on a month is paid out */
  minimum_minor: number;
};
export type PayoutKept = {
  due_on: string;
  kept_minor: number;
  /** What has paid what the creator owed */
  used_minor: number;
  /** What has become payable; 0 before */
  released_minor: number;
};
export type PayoutBankName = {
  country: string;
  last_four: string;
};
export type Payout = {
  campaign_id: number;
  /** Of its statement, once it is booked */
  statement_id?: string;
  /** checking: it is counted, or people look at it; needs_you: it goes on when its creator has seen to their account or bank account;
    leaving: approved; paying: on its way to the bank; set_off: all of it has paid what the creator owed; carried: too little to be
    paid out alone, it comes with the next month
     */
  stage:
    | "checking"
    | "needs_you"
    | "leaving"
    | "paying"
    | "arrived"
    | "set_off"
    | "carried";
  /** Of monthly support: the month in which it was taken; of what is carried the last that is over */
  month?: string;
  carried?: PayoutCarried;
  currency: string;
  collected_minor: number;
  fee_minor: number;
  vat_minor: number;
  /** Kept back for refunds */
  reserve_minor: number;
  /** What has paid what the creator owed */
  set_off_minor: number;
  /** What banks have kept of payouts that they have sent back */
  bank_kept_minor: number;
  /** What was taken back from the account at the provider: it has paid what the creator owed, or is sent with another payout */
  reversed_minor: number;
  /** What was kept back of an earlier payout, and is paid out with this one */
  released_minor: number;
  /** What of the reserve becomes payable when, once it is known; the earliest first */
  kept: PayoutKept[];
  /** What is paid out */
  net_minor: number;
  /** When the campaign, or the month, ended */
  ended_at: string;
  /** When its money was counted */
  counted_at?: string;
  approved_at?: string;
  sent_at?: string;
  arrived_at?: string;
  bank?: PayoutBankName;
};
export type PayoutsAnswer = {
  payouts: Payout[];
};
export type StatementDay = {
  /** On which it was taken */
  day: string;
  charges: number;
  collected_minor: number;
  /** With its tax */
  fee_minor: number;
  reserve_minor: number;
  net_minor: number;
};
export type FeeDocument = {
  number: string;
  issued_on: string;
  net_minor: number;
  vat_minor: number;
  vat_percent: number;
};
export type FeeCredit = {
  /** The movement's in the book */
  number: number;
  day: string;
  net_minor: number;
  vat_minor: number;
};
export type PayoutStatement = {
  payout: Payout;
  /** The earliest first */
  days: StatementDay[];
  fee?: FeeDocument;
  /** What of the fee has gone back since, because backers got their money back */
  credits: FeeCredit[];
};
export type StripeAccountAnswer = {
  account: {
    id: string;
  };
  payee: Payee;
};
export type StripeOnboarding = {
  account: {
    /** Where the owner lives or is registered; never changed. The EEA, Switzerland and the United Kingdom are offered */
    country: string;
    type: "individual" | "company" | "non_profit" | "government_entity";
    /** A page about what they do, of theirs or of the web app */
    url: string;
  };
};
export type StripeLinkAnswer = {
  stripeAccountLink: {
    /** None when there is nothing to do */
    url?: string;
  };
};
export type StripeLinking = {
  account: {
    /** Of the web app */
    refreshUrl: string;
    /** Of the web app */
    returnUrl: string;
  };
};
export type CreatorAccountAnswer = {
  /** The provider's */
  userId: string;
  walletId: string;
  /** Where the person goes on; none when there is nothing to do */
  redirectUrl?: string;
  payee: Payee;
};
export type OwnerAddress = {
  AddressLine1: string;
  AddressLine2?: string;
  City: string;
  PostalCode: string;
  Country: string;
};
export type CreatorAccountOwner = {
  first_name: string;
  last_name: string;
  birthdate: string;
  nationality: string;
  residence_country: string;
  /** The provider's terms; only true makes an account */
  terms_accepted: boolean;
  /** Of the web app */
  return_url: string;
  /** Of a legal one */
  legal_name?: string;
  /** Of a legal one */
  legal_type?: "BUSINESS" | "ORGANIZATION" | "SOLETRADER" | "PARTNERSHIP";
  /** Of a legal one that is a BUSINESS */
  company_number?: string;
  /** Of a legal one; the account's own without it */
  legal_email?: string;
  headquarters?: OwnerAddress;
};
export type CreatorAccount = {
  type: "natural" | "legal";
  userId: number;
  owner?: CreatorAccountOwner;
};
export type CreatorVerification = {
  /** Of the web app */
  returnUrl: string;
};
export type PayoutBankAnswer = {
  bank: PayoutBank;
  /** Where its person confirms it; none when there is nothing to do */
  redirectUrl?: string;
};
export type NewPayoutBank = {
  /** Spaces and hyphens may be left in */
  IBAN: string;
  /** Of a person's */
  first_name?: string;
  /** Of a person's */
  last_name?: string;
  /** Of an entity's */
  business_name?: string;
  address: {
    AddressLine1: string;
    AddressLine2?: string;
    City: string;
    Region?: string;
    PostalCode?: string;
    Country: string;
  };
  /** Of the web app */
  return_url: string;
};
export type PayoutBankField = {
  name:
    | "first_name"
    | "last_name"
    | "business_name"
    | "AddressLine1"
    | "AddressLine2"
    | "City"
    | "Region"
    | "PostalCode";
  is_required: boolean;
  max_length?: number;
};
export type PayoutBankFields = {
  fields: PayoutBankField[];
};
export const {
  useOwnPayeesQuery,
  useLazyOwnPayeesQuery,
  useOwnPayoutsQuery,
  useLazyOwnPayoutsQuery,
  usePayoutStatementQuery,
  useLazyPayoutStatementQuery,
  usePayoutLinesQuery,
  useLazyPayoutLinesQuery,
  useOnboardStripeAccountMutation,
  useLinkStripeAccountMutation,
  useUpdateStripeAccountMutation,
  useOpenStripeDashboardMutation,
  useCreateCreatorAccountMutation,
  useVerifyCreatorAccountMutation,
  useAddPayoutBankMutation,
  usePayoutBankFieldsQuery,
  useLazyPayoutBankFieldsQuery,
  useConfirmPayoutBankMutation,
  useEndPayoutBankMutation,
} = injectedRtkApi;
