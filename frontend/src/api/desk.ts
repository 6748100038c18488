import type { FetchArgs } from '@reduxjs/toolkit/query/react';
import { asText } from './asText';
import { generatedDesk, type DeskJournalApiArg, type DeskTaxReportApiArg } from './desk.generated';

export type * from './desk.generated';

/** Operators always read what is now, and after each act anew. */
const now = { keepUnusedDataFor: 0, providesTags: ['Desk' as const] };
/** Also on an error, because a refused act usually means that what is shown is out of date. */
const act = { invalidatesTags: ['Desk' as const] };

/** A sheet for bookkeeping, which is never kept. */
const sheet = (name: string) => (definition: SheetDefinition) => {
  definition.keepUnusedDataFor = 0;
  definition.query = ({ from, to }) => ({
    url: `/api/admin/money/${name}`,
    params: { from, to },
    responseHandler: asText,
  });
};

interface SheetDefinition {
  keepUnusedDataFor?: number;
  query?: (days: DeskJournalApiArg) => string | FetchArgs;
}

/** The operator's desk. */
const desk = generatedDesk.enhanceEndpoints({
  addTagTypes: ['Desk'],
  endpoints: {
    deskOverview: now,
    deskSearch: now,
    deskPayment: now,
    deskAnomalies: now,
    deskBalances: now,
    deskAnomaly: now,
    deskRuns: now,
    deskRun: now,
    deskRunLines: now,
    deskRefunds: now,
    deskWebhooks: now,
    deskSwitches: now,
    deskMended: act,
    deskPropose: act,
    deskApprove: act,
    deskResume: act,
    deskCancel: act,
    deskReplay: act,
    deskSwitch: act,
    deskRepeatRefund: act,
    deskDispute: now,
    deskContest: act,
    deskWarning: now,
    deskRefundWarned: act,
    deskDismissWarning: act,
    deskReopenWarning: act,
    deskJournal: sheet('journal'),
    deskVat: sheet('vat'),
    deskTaxReport: (definition) => {
      definition.query = ({ deskTaxReport }: DeskTaxReportApiArg) => ({
        url: '/api/admin/money/tax-report',
        method: 'POST',
        body: deskTaxReport,
        responseHandler: asText,
      });
    },
  },
});

export const {
  useDeskOverviewQuery,
  useDeskSearchQuery,
  useDeskPaymentQuery,
  useDeskAnomaliesQuery,
  useDeskBalancesQuery,
  useDeskAnomalyQuery,
  useDeskRunsQuery,
  useDeskRunQuery,
  useDeskRunLinesQuery,
  useDeskRefundsQuery,
  useDeskWebhooksQuery,
  useDeskSwitchesQuery,
  useDeskMendedMutation,
  useDeskProposeMutation,
  useDeskApproveMutation,
  useDeskResumeMutation,
  useDeskCancelMutation,
  useDeskReplayMutation,
  useDeskSwitchMutation,
  useDeskRepeatRefundMutation,
  useDeskDisputeQuery,
  useDeskContestMutation,
  useDeskWarningQuery,
  useDeskRefundWarnedMutation,
  useDeskDismissWarningMutation,
  useDeskReopenWarningMutation,
  useLazyDeskJournalQuery,
  useLazyDeskVatQuery,
  useDeskTaxReportMutation,
} = desk;
