import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    deskTaxReport: build.mutation<
      DeskTaxReportApiResponse,
      DeskTaxReportApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/money/tax-report`,
        method: "POST",
        body: queryArg.deskTaxReport,
      }),
    }),
    deskOverview: build.query<DeskOverviewApiResponse, DeskOverviewApiArg>({
      query: () => ({ url: `/api/admin/money/overview` }),
    }),
    deskSearch: build.query<DeskSearchApiResponse, DeskSearchApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/search`,
        method: "POST",
        body: queryArg.deskWord,
      }),
    }),
    deskPayment: build.query<DeskPaymentApiResponse, DeskPaymentApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/payments/${encodeURIComponent(String(queryArg.paymentId))}`,
      }),
    }),
    deskAnomalies: build.query<DeskAnomaliesApiResponse, DeskAnomaliesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/anomalies`,
        params: {
          closed: queryArg.closed,
          offset: queryArg.offset,
        },
      }),
    }),
    deskBalances: build.query<DeskBalancesApiResponse, DeskBalancesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/balances`,
        params: {
          differing: queryArg.differing,
          offset: queryArg.offset,
        },
      }),
    }),
    deskAnomaly: build.query<DeskAnomalyApiResponse, DeskAnomalyApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/anomalies/${encodeURIComponent(String(queryArg.anomalyId))}`,
      }),
    }),
    deskMended: build.mutation<DeskMendedApiResponse, DeskMendedApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/anomalies/${encodeURIComponent(String(queryArg.anomalyId))}/mended`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskRuns: build.query<DeskRunsApiResponse, DeskRunsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs`,
        params: {
          over: queryArg.over,
          campaign_id: queryArg.campaignId,
          offset: queryArg.offset,
        },
      }),
    }),
    deskPropose: build.mutation<DeskProposeApiResponse, DeskProposeApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs`,
        method: "POST",
        body: queryArg.deskProposal,
      }),
    }),
    deskRun: build.query<DeskRunApiResponse, DeskRunApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs/${encodeURIComponent(String(queryArg.runId))}`,
      }),
    }),
    deskRunLines: build.query<DeskRunLinesApiResponse, DeskRunLinesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs/${encodeURIComponent(String(queryArg.runId))}/lines`,
        params: {
          offset: queryArg.offset,
        },
      }),
    }),
    deskApprove: build.mutation<DeskApproveApiResponse, DeskApproveApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs/${encodeURIComponent(String(queryArg.runId))}/approval`,
        method: "POST",
        body: queryArg.deskApproval,
      }),
    }),
    deskResume: build.mutation<DeskResumeApiResponse, DeskResumeApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs/${encodeURIComponent(String(queryArg.runId))}/resume`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskCancel: build.mutation<DeskCancelApiResponse, DeskCancelApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/runs/${encodeURIComponent(String(queryArg.runId))}/cancel`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskWebhooks: build.query<DeskWebhooksApiResponse, DeskWebhooksApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/webhooks`,
        params: {
          offset: queryArg.offset,
        },
      }),
    }),
    deskReplay: build.mutation<DeskReplayApiResponse, DeskReplayApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/webhooks/replay`,
        method: "POST",
        body: queryArg.deskReplay,
      }),
    }),
    deskSwitches: build.query<DeskSwitchesApiResponse, DeskSwitchesApiArg>({
      query: () => ({ url: `/api/admin/money/switches` }),
    }),
    deskSwitch: build.mutation<DeskSwitchApiResponse, DeskSwitchApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/switches`,
        method: "POST",
        body: queryArg.deskSwitchWord,
      }),
    }),
    deskRefunds: build.query<DeskRefundsApiResponse, DeskRefundsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/refunds`,
        params: {
          offset: queryArg.offset,
        },
      }),
    }),
    deskRepeatRefund: build.mutation<
      DeskRepeatRefundApiResponse,
      DeskRepeatRefundApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/money/refunds/${encodeURIComponent(String(queryArg.refundId))}/repeat`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskDispute: build.query<DeskDisputeApiResponse, DeskDisputeApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/disputes/${encodeURIComponent(String(queryArg.disputeId))}`,
      }),
    }),
    deskContest: build.mutation<DeskContestApiResponse, DeskContestApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/disputes/${encodeURIComponent(String(queryArg.disputeId))}/evidence`,
        method: "POST",
        body: queryArg.deskContest,
      }),
    }),
    deskWarning: build.query<DeskWarningApiResponse, DeskWarningApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/warnings/${encodeURIComponent(String(queryArg.warningId))}`,
      }),
    }),
    deskRefundWarned: build.mutation<
      DeskRefundWarnedApiResponse,
      DeskRefundWarnedApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/money/warnings/${encodeURIComponent(String(queryArg.warningId))}/refund`,
        method: "POST",
        body: queryArg.deskRefundOfWarned,
      }),
    }),
    deskDismissWarning: build.mutation<
      DeskDismissWarningApiResponse,
      DeskDismissWarningApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/money/warnings/${encodeURIComponent(String(queryArg.warningId))}/dismissal`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskReopenWarning: build.mutation<
      DeskReopenWarningApiResponse,
      DeskReopenWarningApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/money/warnings/${encodeURIComponent(String(queryArg.warningId))}/reopening`,
        method: "POST",
        body: queryArg.deskNote,
      }),
    }),
    deskJournal: build.query<DeskJournalApiResponse, DeskJournalApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/journal`,
        params: {
          from: queryArg["from"],
          to: queryArg.to,
        },
      }),
    }),
    deskVat: build.query<DeskVatApiResponse, DeskVatApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/money/vat`,
        params: {
          from: queryArg["from"],
          to: queryArg.to,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedDesk };
export type DeskTaxReportApiResponse = /** status 200 The report */ Blob;
export type DeskTaxReportApiArg = {
  deskTaxReport: DeskTaxReport;
};
export type DeskOverviewApiResponse = /** status 200 The answer */ DeskOverview;
export type DeskOverviewApiArg = void;
export type DeskSearchApiResponse = /** status 200 What was found */ DeskFound;
export type DeskSearchApiArg = {
  deskWord: DeskWord;
};
export type DeskPaymentApiResponse = /** status 200 The payment */ DeskPayment;
export type DeskPaymentApiArg = {
  paymentId: string;
};
export type DeskAnomaliesApiResponse =
  /** status 200 Fifty at most */ DeskAnomalies;
export type DeskAnomaliesApiArg = {
  closed?: boolean;
  offset?: number;
};
export type DeskBalancesApiResponse =
  /** status 200 Fifty at most */ DeskBalances;
export type DeskBalancesApiArg = {
  differing?: boolean;
  offset?: number;
};
export type DeskAnomalyApiResponse = /** status 200 The anomaly */ DeskAnomaly;
export type DeskAnomalyApiArg = {
  anomalyId: number;
};
export type DeskMendedApiResponse = unknown;
export type DeskMendedApiArg = {
  anomalyId: number;
  deskNote: DeskNote;
};
export type DeskRunsApiResponse = /** status 200 Fifty at most */ DeskRuns;
export type DeskRunsApiArg = {
  over?: boolean;
  /** All of one campaign, over or not */
  campaignId?: number;
  offset?: number;
};
export type DeskProposeApiResponse =
  /** status 200 The runs; none when all is settled */ DeskRuns;
export type DeskProposeApiArg = {
  deskProposal: DeskProposal;
};
export type DeskRunApiResponse = /** status 200 The run */ DeskRun;
export type DeskRunApiArg = {
  runId: string;
};
export type DeskRunLinesApiResponse = /** status 200 Fifty at most */ DeskLines;
export type DeskRunLinesApiArg = {
  runId: string;
  offset?: number;
};
export type DeskApproveApiResponse = unknown;
export type DeskApproveApiArg = {
  runId: string;
  deskApproval: DeskApproval;
};
export type DeskResumeApiResponse = unknown;
export type DeskResumeApiArg = {
  runId: string;
  deskNote: DeskNote;
};
export type DeskCancelApiResponse = unknown;
export type DeskCancelApiArg = {
  runId: string;
  deskNote: DeskNote;
};
export type DeskWebhooksApiResponse =
  /** status 200 Fifty at most */ DeskWebhooks;
export type DeskWebhooksApiArg = {
  offset?: number;
};
export type DeskReplayApiResponse = unknown;
export type DeskReplayApiArg = {
  deskReplay: DeskReplay;
};
export type DeskSwitchesApiResponse =
  /** status 200 The switches */ DeskSwitches;
export type DeskSwitchesApiArg = void;
export type DeskSwitchApiResponse = unknown;
export type DeskSwitchApiArg = {
  deskSwitchWord: DeskSwitchWord;
};
export type DeskRefundsApiResponse =
  /** status 200 Fifty at most */ DeskRefunds;
export type DeskRefundsApiArg = {
  offset?: number;
};
export type DeskRepeatRefundApiResponse = unknown;
export type DeskRepeatRefundApiArg = {
  refundId: string;
  deskNote: DeskNote;
};
export type DeskDisputeApiResponse = /** status 200 It is so */ DeskDisputeCase;
export type DeskDisputeApiArg = {
  disputeId: number;
};
export type DeskContestApiResponse = unknown;
export type DeskContestApiArg = {
  disputeId: number;
  deskContest: DeskContest;
};
export type DeskWarningApiResponse = /** status 200 It is so */ DeskWarningCase;
export type DeskWarningApiArg = {
  warningId: number;
};
export type DeskRefundWarnedApiResponse = unknown;
export type DeskRefundWarnedApiArg = {
  warningId: number;
  deskRefundOfWarned: DeskRefundOfWarned;
};
export type DeskDismissWarningApiResponse = unknown;
export type DeskDismissWarningApiArg = {
  warningId: number;
  deskNote: DeskNote;
};
export type DeskReopenWarningApiResponse = unknown;
export type DeskReopenWarningApiArg = {
  warningId: number;
  deskNote: DeskNote;
};
export type DeskJournalApiResponse = /** status 200 The journal */ Blob;
export type DeskJournalApiArg = {
  from: string;
  /** The last day */
  to: string;
};
export type DeskVatApiResponse = /** status 200 The tax */ Blob;
export type DeskVatApiArg = {
  from: string;
  /** The last day */
  to: string;
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
export type DeskTaxReport = {
  year: number;
  /** Why; it is kept */
  note: string;
};
export type DeskCount = {
  what: string;
  count: number;
  oldest_at?: string;
  /** When the last of them has its turn, of those that are sent one after the other */
  until?: string;
};
export type DeskRunRow = {
  run_id: string;
  campaign_id: number;
  /** Of the campaign, as its payments have it */
  title: string;
  provider: string;
  /** Of the campaign's runs at the provider */
  number: number;
  /** Of support that it is of: YYYY-MM */
  month?: string;
  state:
    | "counting"
    | "proposed"
    | "approved"
    | "booked"
    | "sending"
    | "sent"
    | "paying"
    | "paid"
    | "void";
  /** Why it waits, while it does */
  reason?: string;
  detail?: string;
  currency: string;
  lines: number;
  gross_minor: number;
  /** Ours with its tax */
  fee_minor: number;
  vat_minor: number;
  reserve_minor: number;
  net_minor: number;
  /** What was kept back earlier and is sent with it; in net_minor */
  released_minor: number;
  /** What of it has paid the creator's debts */
  offset_minor: number;
  /** What banks have kept of payouts of it that they have sent back; its creator bears it */
  bank_kept_minor: number;
  /** What of it was taken back from the creator's account at the provider */
  reversed_minor: number;
  proposed_by: string;
  /** How many people approve it */
  needed: number;
  /** Of what it is now */
  approvals: number;
  created_at: string;
};
export type DeskDispute = {
  dispute_id: number;
  payment_id: string;
  provider: string;
  status: string;
  /** The provider's word */
  reason: string;
  /** When evidence was sent; none once the bank has asked for more */
  evidence_at?: string;
  amount_minor: number;
  currency: string;
  respond_by?: string;
  opened_at: string;
};
export type DeskWarning = {
  warning_id: number;
  payment_id: string;
  provider: string;
  /** open, refunded, disputed, dismissed, or lapsed: a refund avoids nothing any more */
  status: string;
  /** The provider's word */
  reason: string;
  /** Of the campaign */
  title: string;
  campaign_id: number;
  /** What was paid with */
  method: string;
  /** Of the charge */
  amount_minor: number;
  currency: string;
  opened_at: string;
  /** Until when the charge is not paid out, while the warning is open */
  held_until: string;
};
export type DeskWebhookCounts = {
  stored_today: number;
  /** Tried without success; they come again by themselves */
  failed: number;
  waiting: number;
  oldest_at?: string;
};
export type DeskProvider = {
  provider: string;
  is_on: boolean;
};
export type DeskOverview = {
  /** The name under which the caller acts; left out when they are no operator, and only look */
  operator?: string;
  /** When the book was compared with a provider last */
  compared_at?: string;
  /** Open ones by kind, the oldest first */
  anomalies: DeskCount[];
  /** Those that wait for a person, the oldest first; twenty at most */
  runs: DeskRunRow[];
  /** Not with their backers: failed, stuck, on_way; of_campaigns are those on their way that are sent one after the other */
  refunds: DeskCount[];
  /** That are not decided, the next to be answered first; twenty at most */
  disputes: DeskDispute[];
  /** Charges that a cardholder has reported as fraud, and nobody has decided about, the oldest first; twenty at most */
  warnings: DeskWarning[];
  webhooks: DeskWebhookCounts;
  /** What workers have before them: events, forgets, payments, refunds, months, settlements */
  queues: DeskCount[];
  providers: DeskProvider[];
};
export type DeskPaymentRow = {
  payment_id: string;
  /** pledge, subscription, or unclaimed: money that no order explains */
  subject_kind: string;
  subject_id: string;
  /** Of a subscription: which month */
  period?: number;
  campaign_id: number;
  /** Of the campaign */
  title: string;
  provider: string;
  /** Visa ···· 4242, or FI ···· 1234 of a bank account; empty before it is known */
  method: string;
  amount_minor: number;
  amount_refunded_minor: number;
  currency: string;
  status: string;
  /** Where the money is. charged: a bank has not confirmed it. nothing: nothing was charged, and nothing will be */
  where:
    | "promised"
    | "charged"
    | "held"
    | "approved"
    | "sent"
    | "arrived"
    | "returned"
    | "contested"
    | "nothing";
  created_at: string;
};
export type DeskFound = {
  /** How the word was read */
  read_as: "id" | "email" | "last_four" | "provider_id";
  payments: DeskPaymentRow[];
  runs: DeskRunRow[];
};
export type DeskWord = {
  word: string;
};
export type DeskStop = {
  stop:
    | "promised"
    | "charged"
    | "held"
    | "approved"
    | "sent"
    | "arrived"
    | "returned";
  /** When it was reached; left out before */
  at?: string;
};
export type DeskEvent = {
  at: string;
  /** A code, such as status_succeeded, refund_asked, run_agreed */
  what: string;
  /** A code or an id: of a move what made us look, of a refund its reason */
  detail?: string;
  amount_minor?: number;
  /** The person; left out for the service itself */
  actor?: string;
  note?: string;
};
export type DeskAttempt = {
  provider: string;
  method: string;
  status: string;
  /** The provider's id */
  object_ref?: string;
  /** The provider's id of the charge */
  charge_ref?: string;
  amount_minor: number;
  fee_minor?: number;
  currency: string;
  declines: number;
  created_at: string;
};
export type DeskRefund = {
  refund_id: string;
  payment_id: string;
  provider: string;
  amount_minor: number;
  currency: string;
  reason: string;
  status: string;
  /** The provider's word */
  failure_code?: string;
  provider_ref?: string;
  /** In a row that came to nothing */
  tries: number;
  actor?: string;
  note?: string;
  created_at: string;
  settled_at?: string;
};
export type DeskLeg = {
  /** The class of the account, such as backer_funds */
  account: string;
  /** Debit positive, credit negative */
  amount_minor: number;
  currency: string;
};
export type DeskMovement = {
  /** Of the ledger's rules */
  kind: string;
  reference?: string;
  happened_at: string;
  booked_at: string;
  actor?: string;
  note?: string;
  legs: DeskLeg[];
};
export type DeskAnomaly = {
  anomaly_id: number;
  kind: string;
  provider: string;
  /** The provider's id of what does not fit, or ours */
  reference: string;
  payment_id?: string;
  detail: {
    [key: string]: string;
  };
  found_at: string;
  seen_at: string;
  /** How often it was opened */
  times: number;
  closed_at?: string;
  /** The person, or service when its cause was gone */
  closed_by?: string;
  note?: string;
};
export type DeskPayment = {
  payment_id: string;
  /** pledge, subscription, or unclaimed: money that no order explains */
  subject_kind: string;
  subject_id: string;
  /** Of a subscription: which month */
  period?: number;
  campaign_id: number;
  /** Of the campaign */
  title: string;
  provider: string;
  /** Visa ···· 4242, or FI ···· 1234 of a bank account; empty before it is known */
  method: string;
  amount_minor: number;
  amount_refunded_minor: number;
  currency: string;
  status: string;
  /** Where the money is. charged: a bank has not confirmed it. nothing: nothing was charged, and nothing will be */
  where:
    | "promised"
    | "charged"
    | "held"
    | "approved"
    | "sent"
    | "arrived"
    | "returned"
    | "contested"
    | "nothing";
  created_at: string;
  /** Where is my money: the stops in their order */
  stops: DeskStop[];
  /** The newest first */
  history: DeskEvent[];
  attempts: DeskAttempt[];
  refunds: DeskRefund[];
  disputes: DeskDispute[];
  warnings: DeskWarning[];
  ledger: DeskMovement[];
  anomalies: DeskAnomaly[];
  /** The run that has its charge */
  run_id?: string;
};
export type DeskAnomalies = {
  anomalies: DeskAnomaly[];
  total: number;
};
export type DeskBalanceDay = {
  provider: string;
  /** main, a wallet, fees, repudiation */
  place: string;
  /** Whose wallet it is */
  campaign_id?: number;
  /** In Finland */
  day: string;
  /** The end of the day, or the beginning of the next: all three sums are of that moment */
  as_of: string;
  /** The last time */
  compared_at: string;
  currency: string;
  book_minor: number;
  /** What the provider lists, without what another system moved */
  objects_minor: number;
  /** What the provider says is there, without what another system moved; left out while it could not be read in a quiet moment */
  balance_minor?: number;
  /** What another system has moved on the same account */
  foreign_minor: number;
  /** Which of the three differs from the other two */
  verdict: "agrees" | "unknown" | "book" | "objects" | "balance" | "all";
  /** The open anomaly of the place */
  anomaly_id?: number;
};
export type DeskBalances = {
  days: DeskBalanceDay[];
  total: number;
};
export type DeskNote = {
  /** Why; the accountants read it */
  note: string;
};
export type DeskRuns = {
  runs: DeskRunRow[];
  total: number;
};
export type DeskProposal = {
  campaign_id: number;
  /** Why; the accountants read it */
  note: string;
};
export type DeskBank = {
  country: string;
  last_four: string;
  name_check?: string;
  pays_from?: string;
};
export type DeskApprover = {
  actor: string;
  note: string;
  at: string;
};
export type DeskStep = {
  event: string;
  to: string;
  reason?: string;
  actor?: string;
  note?: string;
  at: string;
};
export type DeskMove = {
  /** transfer to the creator's account at the provider, payout to their bank, reversal of a part of the transfer */
  kind: string;
  /** Counts the tries */
  number: number;
  amount_minor: number;
  fee_minor: number;
  state: string;
  ref?: string;
  /** The provider's word for why not */
  code?: string;
  /** What came back of a payout that a bank has sent back */
  returned_minor?: number;
  at: string;
};
export type DeskRun = {
  run_id: string;
  campaign_id: number;
  /** Of the campaign, as its payments have it */
  title: string;
  provider: string;
  /** Of the campaign's runs at the provider */
  number: number;
  /** Of support that it is of: YYYY-MM */
  month?: string;
  state:
    | "counting"
    | "proposed"
    | "approved"
    | "booked"
    | "sending"
    | "sent"
    | "paying"
    | "paid"
    | "void";
  /** Why it waits, while it does */
  reason?: string;
  detail?: string;
  currency: string;
  lines: number;
  gross_minor: number;
  /** Ours with its tax */
  fee_minor: number;
  vat_minor: number;
  reserve_minor: number;
  net_minor: number;
  /** What was kept back earlier and is sent with it; in net_minor */
  released_minor: number;
  /** What of it has paid the creator's debts */
  offset_minor: number;
  /** What banks have kept of payouts of it that they have sent back; its creator bears it */
  bank_kept_minor: number;
  /** What of it was taken back from the creator's account at the provider */
  reversed_minor: number;
  proposed_by: string;
  /** How many people approve it */
  needed: number;
  /** Of what it is now */
  approvals: number;
  created_at: string;
  /** Over lines, account and rates; empty before it is frozen */
  hash: string;
  /** How often its lines were frozen */
  version: number;
  /** How many lines are booked */
  booked: number;
  /** How many have left because their charge had changed */
  left: number;
  rates_from?: string;
  bank?: DeskBank;
  /** Of what it is now */
  approved_by: DeskApprover[];
  steps: DeskStep[];
  moves: DeskMove[];
  paid_at?: string;
  /** What the law asks of its creator (DAC7) is missing: from when nothing is sent */
  tax_missing_by?: string;
  /** Whether the caller can */
  can_approve:
    | "yes"
    | "not_now"
    | "not_operator"
    | "own_proposal"
    | "own_money"
    | "approved_already";
};
export type DeskLine = {
  charge_ref: string;
  payment_id: string;
  method: string;
  gross_minor: number;
  fee_minor: number;
  vat_minor: number;
  reserve_minor: number;
  net_minor: number;
  state: "waits" | "booked" | "left";
};
export type DeskLines = {
  lines: DeskLine[];
  total: number;
};
export type DeskApproval = {
  /** As the run was seen */
  hash: string;
  /** Why; the accountants read it */
  note: string;
};
export type DeskWebhook = {
  provider: string;
  event_key: string;
  type: string;
  object_ref: string;
  received_at: string;
  tries: number;
  next_at: string;
  error?: string;
};
export type DeskWebhooks = {
  webhooks: DeskWebhook[];
  total: number;
};
export type DeskReplay = {
  provider: "stripe" | "mangopay";
  event_key: string;
  /** Why; the accountants read it */
  note: string;
};
export type DeskSwitched = {
  provider: string;
  is_on: boolean;
  reason: string;
  actor: string;
  at: string;
};
export type DeskSwitches = {
  providers: DeskProvider[];
  history: DeskSwitched[];
};
export type DeskSwitchWord = {
  provider: "stripe" | "mangopay";
  is_on: boolean;
  /** Why; the accountants read it */
  note: string;
};
export type DeskRefunds = {
  refunds: DeskRefund[];
  total: number;
};
export type DeskEvidence = {
  customer_name: string;
  customer_email: string;
  shipping_address: string;
  shipping_date: string;
  product: string;
  /** What the backer was told about taking it back */
  policy: string;
  /** What happened, by day */
  statement: string;
};
export type DeskDisputeCase = {
  dispute: DeskDispute;
  /** Whether evidence can be sent. unknown: it was sent, and the provider has not answered; at_provider: only on the provider's own pages, because it is not connected here */
  can: "yes" | "sent" | "unknown" | "decided" | "at_provider";
  /** The bank has seen evidence and asks for more */
  asked_again: boolean;
  /** What it asks for, in the provider's words */
  wants?: string;
  /** What was sent of what the bank asks now; what is known, where it can be sent; else none */
  evidence?: DeskEvidence;
  sent_at?: string;
  sent_by?: string;
  note?: string;
};
export type DeskContest = {
  evidence: DeskEvidence;
  /** Why; the accountants read it */
  note: string;
};
export type DeskSupport = {
  /** Of the campaign */
  title: string;
  /** A month */
  amount_minor: number;
  currency: string;
};
export type DeskWarningCase = {
  warning: DeskWarning;
  /** Left out when nobody knows it now */
  payer_name?: string;
  payer_email?: string;
  /** What a refund would give back: all that is left of the charge */
  left_minor: number;
  /** Of that, what was settled to the creator: it would become their debt */
  creator_minor: number;
  /** It was dismissed, and the charge is not on its way to its creator */
  can_reopen: boolean;
  /** Of a pledge: monthly support of the same account that has the same card. After the refund it is not charged to it any more, and waits for another */
  support: DeskSupport[];
};
export type DeskRefundOfWarned = {
  /** Why; the accountants read it */
  note: string;
  /** End the support that the warning's answer lists */
  end_support?: boolean;
};
export const {
  useDeskTaxReportMutation,
  useDeskOverviewQuery,
  useLazyDeskOverviewQuery,
  useDeskSearchQuery,
  useLazyDeskSearchQuery,
  useDeskPaymentQuery,
  useLazyDeskPaymentQuery,
  useDeskAnomaliesQuery,
  useLazyDeskAnomaliesQuery,
  useDeskBalancesQuery,
  useLazyDeskBalancesQuery,
  useDeskAnomalyQuery,
  useLazyDeskAnomalyQuery,
  useDeskMendedMutation,
  useDeskRunsQuery,
  useLazyDeskRunsQuery,
  useDeskProposeMutation,
  useDeskRunQuery,
  useLazyDeskRunQuery,
  useDeskRunLinesQuery,
  useLazyDeskRunLinesQuery,
  useDeskApproveMutation,
  useDeskResumeMutation,
  useDeskCancelMutation,
  useDeskWebhooksQuery,
  useLazyDeskWebhooksQuery,
  useDeskReplayMutation,
  useDeskSwitchesQuery,
  useLazyDeskSwitchesQuery,
  useDeskSwitchMutation,
  useDeskRefundsQuery,
  useLazyDeskRefundsQuery,
  useDeskRepeatRefundMutation,
  useDeskDisputeQuery,
  useLazyDeskDisputeQuery,
  useDeskContestMutation,
  useDeskWarningQuery,
  useLazyDeskWarningQuery,
  useDeskRefundWarnedMutation,
  useDeskDismissWarningMutation,
  useDeskReopenWarningMutation,
  useDeskJournalQuery,
  useLazyDeskJournalQuery,
  useDeskVatQuery,
  useLazyDeskVatQuery,
} = injectedRtkApi;
