import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    campaignMethods: build.query<
      CampaignMethodsApiResponse,
      CampaignMethodsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/methods`,
        params: {
          amount_minor: queryArg.amountMinor,
          currency: queryArg.currency,
        },
      }),
    }),
    forgetKeptCard: build.mutation<
      ForgetKeptCardApiResponse,
      ForgetKeptCardApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/me/cards/${encodeURIComponent(String(queryArg.cardId))}`,
        method: "DELETE",
      }),
    }),
    cardRegistrationData: build.mutation<
      CardRegistrationDataApiResponse,
      CardRegistrationDataApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/card-registration-data`,
        method: "POST",
        body: queryArg.pledgeRef,
      }),
    }),
    finishCardRegistration: build.mutation<
      FinishCardRegistrationApiResponse,
      FinishCardRegistrationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/finish-card-registration`,
        method: "POST",
        body: queryArg.cardRegistrationData,
      }),
    }),
    cardPayIn: build.mutation<CardPayInApiResponse, CardPayInApiArg>({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/payin`,
        method: "POST",
        body: queryArg.cardPayIn,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    bankAccounts: build.query<BankAccountsApiResponse, BankAccountsApiArg>({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/get-bank-accounts`,
        method: "POST",
        body: queryArg.pledgeRef,
      }),
    }),
    createBankAccount: build.mutation<
      CreateBankAccountApiResponse,
      CreateBankAccountApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/create-bank-account`,
        method: "POST",
        body: queryArg.newBankAccount,
      }),
    }),
    createMandate: build.mutation<
      CreateMandateApiResponse,
      CreateMandateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/create-mandate`,
        method: "POST",
        body: queryArg.newMandate,
      }),
    }),
    debitPayIn: build.mutation<DebitPayInApiResponse, DebitPayInApiArg>({
      query: (queryArg) => ({
        url: `/api/pledges/mangopay/payin-direct-debit`,
        method: "POST",
        body: queryArg.debitPayIn,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedCheckoutPayments };
export type CampaignMethodsApiResponse =
  /** status 200 The methods */ MethodsAnswer;
export type CampaignMethodsApiArg = {
  campaignId: number;
  /** Without it what takes any sum is given */
  amountMinor?: number;
  currency?: string;
};
export type ForgetKeptCardApiResponse = unknown;
export type ForgetKeptCardApiArg = {
  cardId: string;
};
export type CardRegistrationDataApiResponse =
  /** status 200 The registration */ CardRegistrationAnswer;
export type CardRegistrationDataApiArg = {
  pledgeRef: PledgeRef;
};
export type FinishCardRegistrationApiResponse =
  /** status 200 The card, or the result code why there is none */ RegisteredCardAnswer;
export type FinishCardRegistrationApiArg = {
  cardRegistrationData: CardRegistrationData;
};
export type CardPayInApiResponse = /** status 200 The pay-in */ PayInAnswer;
export type CardPayInApiArg = {
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
  cardPayIn: CardPayIn;
};
export type BankAccountsApiResponse =
  /** status 200 The accounts */ BankAccountsAnswer;
export type BankAccountsApiArg = {
  pledgeRef: PledgeRef;
};
export type CreateBankAccountApiResponse =
  /** status 200 The account */ BankAccountAnswer;
export type CreateBankAccountApiArg = {
  newBankAccount: NewBankAccount;
};
export type CreateMandateApiResponse =
  /** status 200 The mandate */ MandateAnswer;
export type CreateMandateApiArg = {
  newMandate: NewMandate;
};
export type DebitPayInApiResponse = /** status 200 The pay-in */ PayInAnswer;
export type DebitPayInApiArg = {
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
  debitPayIn: DebitPayIn;
};
export type PaymentMethod = {
  /** bank is a direct debit */
  method: "card" | "bank" | "page";
  /** Whose calls it is paid by */
  provider: "stripe" | "mangopay";
  /** Birth date, nationality and country of residence of the payer are asked for */
  needs_payer: boolean;
  /** The largest sum that it takes */
  max_minor?: number;
};
export type KeptCard = {
  card_id: string;
  provider: "stripe" | "mangopay";
  /** Visa ···· 4242 */
  label: string;
  exp_month?: number;
  exp_year?: number;
  used_at?: string;
};
export type MethodsAnswer = {
  /** In the order in which they are offered; none when the campaign cannot be paid to now */
  methods: PaymentMethod[];
  /** Why there are none: everything that the campaign is paid through is switched off, its creator is not verified there, or it is on hold */
  reason?: "provider_off" | "not_ready" | "on_hold";
  /** The one used last comes first */
  saved_cards: KeptCard[];
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
export type CardRegistration = {
  Id: string;
  CardRegistrationURL: string;
  PreregistrationData: string;
  AccessKey: string;
  CardType: string;
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
export type CardRegistrationAnswer = {
  cardRegistration: CardRegistration;
  /** The payer at the provider */
  authorId: string;
  /** The campaign's wallet */
  creditedWalletId: string;
  payment: Payment;
};
export type PledgeRef = {
  pledgeId: string;
};
export type RegisteredCardAnswer = {
  cardId?: string;
  /** Visa ···· 4242 */
  label?: string;
  /** Why there is no card */
  ResultCode?: string;
  ResultMessage?: string;
};
export type CardRegistrationData = {
  pledgeId: string;
  registrationId: string;
  /** "data=…" or "errorCode=…", whole */
  registrationData: string;
  /** Offer the card to its person again; of an account only */
  keep?: boolean;
};
export type PayIn = {
  Id?: string;
  Status: "CREATED" | "SUCCEEDED" | "FAILED";
  /** 000000 of a success; none while it is open */
  ResultCode?: string;
  ResultMessage?: string;
  SecureModeNeeded: boolean;
  SecureModeRedirectURL?: string;
};
export type PayInAnswer = {
  payin: PayIn;
  payment: Payment;
};
export type BrowserInfo = {
  AcceptHeader: string;
  JavaEnabled: boolean;
  Language: string;
  ColorDepth: number;
  ScreenHeight: number;
  ScreenWidth: number;
  /** Minutes, as getTimezoneOffset gives it */
  TimeZoneOffset: number;
  UserAgent: string;
  JavascriptEnabled: boolean;
};
export type CardPayIn = {
  pledgeId: string;
  cardId: string;
  /** Cents */
  amount: number;
  authorId: string;
  creditedWalletId: string;
  browserInfo: BrowserInfo;
  /** Of the web app */
  secureModeReturnURL: string;
};
export type OwnerAddress = {
  AddressLine1: string;
  AddressLine2?: string;
  City: string;
  PostalCode: string;
  Country: string;
};
export type BankAccount = {
  Id: string;
  OwnerName: string;
  OwnerAddress: OwnerAddress;
  Details: {
    /** Masked: country and the last four, FI•• 5512 */
    IBAN: string;
  };
  /** One that can be used */
  has_mandate: boolean;
};
export type BankAccountsAnswer = {
  bankAccounts: BankAccount[];
};
export type BankAccountAnswer = {
  bankAccount: BankAccount;
};
export type NewBankAccount = {
  pledgeId: string;
  OwnerName: string;
  OwnerAddress: OwnerAddress;
  /** Spaces and hyphens may be left in */
  IBAN: string;
  /** Offer the account to the person of an account again; without it one that was is no more */
  keep?: boolean;
};
export type MandateAnswer = {
  mandate: {
    Id: string;
    Status: "CREATED" | "SUBMITTED" | "ACTIVE" | "FAILED" | "EXPIRED";
    RedirectURL?: string;
    ResultCode?: string;
    ResultMessage?: string;
  };
};
export type NewMandate = {
  pledgeId: string;
  bankAccountId: string;
  language: "fi" | "en" | "sv";
  /** Of the web app */
  returnURL: string;
};
export type DebitPayIn = {
  pledgeId: string;
  mandateId?: string;
};
export const {
  useCampaignMethodsQuery,
  useLazyCampaignMethodsQuery,
  useForgetKeptCardMutation,
  useCardRegistrationDataMutation,
  useFinishCardRegistrationMutation,
  useCardPayInMutation,
  useBankAccountsQuery,
  useLazyBankAccountsQuery,
  useCreateBankAccountMutation,
  useCreateMandateMutation,
  useDebitPayInMutation,
} = injectedRtkApi;
