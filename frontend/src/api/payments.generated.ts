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
        body: queryArg.formCard,
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
  formCard: FormCard;
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
  /** Of status spending_limit_exceeded: currency, limit_minor, total_minor (what the month would come to) and month (YYYY-MM, the first that would cross the limit). Of payment_open_at_bank: until (a time), when it ends at the latest */
  params?: {
    [key: string]: any;
  };
  request_id: string;
};
export type FormCard = {
  /** Offer the card that pays to its person again */
  keep?: boolean;
  /** Of a kept card that pays */
  card_id?: string;
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
export const {
  useSetupPledgePaymentMutation,
  usePledgePaymentQuery,
  useLazyPledgePaymentQuery,
  usePledgePaymentPageMutation,
} = injectedRtkApi;
