import { contentBase as api } from "./contentBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    askPaymentReminder: build.mutation<
      AskPaymentReminderApiResponse,
      AskPaymentReminderApiArg
    >({
      query: (queryArg) => ({
        url: `/campaigns/${encodeURIComponent(String(queryArg.campaignId))}/payment_reminders/`,
        method: "POST",
        body: queryArg.paymentReminderRequest,
      }),
    }),
    refusePaymentReminders: build.mutation<
      RefusePaymentRemindersApiResponse,
      RefusePaymentRemindersApiArg
    >({
      query: (queryArg) => ({
        url: `/payment-reminders/${encodeURIComponent(String(queryArg.token))}/refuse/`,
        method: "POST",
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedReminders };
export type AskPaymentReminderApiResponse =
  /** status 202 How it stands */ PaymentReminderAnswer;
export type AskPaymentReminderApiArg = {
  campaignId: number;
  paymentReminderRequest: PaymentReminderRequest;
};
export type RefusePaymentRemindersApiResponse = unknown;
export type RefusePaymentRemindersApiArg = {
  token: string;
};
export type PaymentReminderAnswer = {
  /** It can be paid to; there is nothing to wait for */
  is_payable: boolean;
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
export type PaymentReminderRequest = {
  email?: string;
  language?: Language;
};
export const {
  useAskPaymentReminderMutation,
  useRefusePaymentRemindersMutation,
} = injectedRtkApi;
