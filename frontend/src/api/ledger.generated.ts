import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    ledgerDays: build.query<LedgerDaysApiResponse, LedgerDaysApiArg>({
      query: (queryArg) => ({
        url: `/api/ledger/days`,
        params: {
          before: queryArg.before,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedLedger };
export type LedgerDaysApiResponse =
  /** status 200 100 days at most */ LedgerDaysAnswer;
export type LedgerDaysApiArg = {
  /** Days before this one only */
  before?: string;
};
export type LedgerDay = {
  day: string;
  /** How many were booked on it */
  transactions: number;
  /** Of the day before; empty of the first day */
  previous_hash: string;
  /** SHA-256 of the day's text */
  hash: string;
  sealed_at: string;
};
export type LedgerDaysAnswer = {
  days: LedgerDay[];
  /** There are earlier ones */
  has_more: boolean;
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
