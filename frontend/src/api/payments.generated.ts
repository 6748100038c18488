import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    setupPledgePayment: build.mutation<
      SetupPledgePaymentApiResponse,
      SetupPledgePaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/setup`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    pledgePayment: build.query<PledgePaymentApiResponse, PledgePaymentApiArg>({
      query: (queryArg) => ({
        url: `/api/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/payment`,
      }),
    }),
    pledgePaymentPage: build.mutation<
      PledgePaymentPageApiResponse,
      PledgePaymentPageApiArg
    >({
      query: (queryArg) => ({
        url: `/api/pledges/${encodeURIComponent(String(queryArg.pledgeId))}/payment-page/${encodeURIComponent(String(queryArg.x))}`,
        method: "POST",
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    ownPayees: build.query<OwnPayeesApiResponse, OwnPayeesApiArg>({
      query: () => ({ url: `/api/users/me/payees` }),
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
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedPayments };
export type SetupPledgePaymentApiResponse =
  /** status 200 The intent's client secret */ SetupAnswer;
export type SetupPledgePaymentApiArg = {
  pledgeId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
};
export type PledgePaymentApiResponse =
  /** status 200 The payment */ PaymentAnswer;
export type PledgePaymentApiArg = {
  pledgeId: string;
};
export type PledgePaymentPageApiResponse =
  | /** status 200 The page */ PaymentPageAnswer
  | /** status 202 Being made; ask again after Retry-After seconds */ PaymentPagePending;
export type PledgePaymentPageApiArg = {
  pledgeId: string;
  /** The same key and body gives the first answer again and does nothing, whatever was done since; with another body (of a pledge also another
    pledge) it is refused. Where the answer has a client secret or an address to pay at, a repeat gives that of the same payment or setup, as
    long as it can be paid. A call that is refused leaves its key free. Each act has keys of its own; a key of a pledge's setup or page is the
    caller's (their address's), one of provider B's pay-ins belongs to the pledge, one of a subscription's calls to the subscription. A pay-in
    by a key that was refused by the bank is that refusal again: another try is another key. Keys are kept for two days.
     */
  "Idempotency-Key"?: string;
  x: string;
};
export type OwnPayeesApiResponse = /** status 200 The accounts */ PayeesAnswer;
export type OwnPayeesApiArg = void;
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
export type SetupAnswer = {
  stripe: {
    payment_intent: {
      id: string;
      client_secret: string;
    };
    publishable_key: string;
  };
  payment: Payment;
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
  /** Of status spending_limit_exceeded: currency, limit_minor, total_minor (what the month would come to) and month (YYYY-MM, the first that would cross the limit) */
  params?: {
    [key: string]: any;
  };
  request_id: string;
};
export type PaymentAnswer = {
  payment: Payment;
};
export type PaymentPageAnswer = {
  payment_page: {
    url: string;
  };
  paymentPageUrl: string;
};
export type PaymentPagePending = {
  status: "pending";
  /** Seconds */
  retry_after: number;
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
      | "blocked_outflows";
    by?: string;
  }[];
  /** When the provider was asked last */
  looked_at?: string;
};
export type PayeesAnswer = {
  payees: Payee[];
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
export const {
  useSetupPledgePaymentMutation,
  usePledgePaymentQuery,
  useLazyPledgePaymentQuery,
  usePledgePaymentPageMutation,
  useOwnPayeesQuery,
  useLazyOwnPayeesQuery,
  useCreateCreatorAccountMutation,
  useVerifyCreatorAccountMutation,
} = injectedRtkApi;
