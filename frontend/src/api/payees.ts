import { asText } from './asText';
import { generatedPayees, type PayoutLinesApiArg } from './payees.generated';

export type * from './payees.generated';

/** The accounts by which creators are paid. Never cached between visits: the provider changes them meanwhile. */
const payees = generatedPayees.enhanceEndpoints({
  endpoints: {
    ownPayees: { keepUnusedDataFor: 0 },
    ownPayouts: { keepUnusedDataFor: 0 },
    payoutStatement: { keepUnusedDataFor: 0 },
    payoutLines: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = ({ runId, language }: PayoutLinesApiArg) => ({
        url: `/api/users/me/payouts/${runId}/lines`,
        params: { language },
        responseHandler: asText,
      });
    },
  },
});

export const {
  useAddPayoutBankMutation,
  useConfirmPayoutBankMutation,
  useCreateCreatorAccountMutation,
  useLazyPayoutLinesQuery,
  useLinkStripeAccountMutation,
  useOpenStripeDashboardMutation,
  useOnboardStripeAccountMutation,
  useEndPayoutBankMutation,
  useOwnPayeesQuery,
  useOwnPayoutsQuery,
  usePayoutBankFieldsQuery,
  usePayoutStatementQuery,
  useUpdateStripeAccountMutation,
  useVerifyCreatorAccountMutation,
} = payees;
