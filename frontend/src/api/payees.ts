import { generatedPayees } from './payees.generated';

export type * from './payees.generated';

/** The accounts by which creators are paid. Never cached between visits: the provider changes them meanwhile. */
const payees = generatedPayees.enhanceEndpoints({
  endpoints: { ownPayees: { keepUnusedDataFor: 0 }, ownPayouts: { keepUnusedDataFor: 0 } },
});

export const {
  useAddPayoutBankMutation,
  useConfirmPayoutBankMutation,
  useCreateCreatorAccountMutation,
  useLinkStripeAccountMutation,
  useOpenStripeDashboardMutation,
  useOnboardStripeAccountMutation,
  useEndPayoutBankMutation,
  useOwnPayeesQuery,
  useOwnPayoutsQuery,
  usePayoutBankFieldsQuery,
  useUpdateStripeAccountMutation,
  useVerifyCreatorAccountMutation,
} = payees;
