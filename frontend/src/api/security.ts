import { asText } from './asText';
import { generatedSecurity } from './security.generated';

export type * from './security.generated';

/** How somebody signs in, with what changes it. */
export const security = generatedSecurity.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own', 'SecondSteps', 'Sessions', 'Erasure'],
  endpoints: {
    // Always read anew: another tab or a lost phone may have changed it.
    ownSecurity: { providesTags: ['SecondSteps', 'Reader', 'Own'], keepUnusedDataFor: 0 },
    ownSessions: { providesTags: ['Sessions', 'Reader', 'Own'], keepUnusedDataFor: 0 },
    confirmIdentity: { invalidatesTags: ['SecondSteps'] },
    confirmTotp: { invalidatesTags: ['SecondSteps'] },
    removeTotp: { invalidatesTags: ['SecondSteps'] },
    makeBackupCodes: { invalidatesTags: ['SecondSteps'] },
    addPasskey: { invalidatesTags: ['SecondSteps'] },
    renamePasskey: { invalidatesTags: ['SecondSteps'] },
    removePasskey: { invalidatesTags: ['SecondSteps'] },
    changePassword: { invalidatesTags: ['Sessions'] },
    endSession: { invalidatesTags: ['Sessions'] },
    endOtherSessions: { invalidatesTags: ['Sessions'] },
    // The file is saved as it came. It may be long: reading it has more time than other reads.
    ownData: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = () => ({
        url: '/users/me/data/',
        timeout: 300_000,
        responseHandler: asText,
      });
    },
    ownErasure: { providesTags: ['Erasure', 'Reader', 'Own'], keepUnusedDataFor: 0 },
    // Something has come up meanwhile.
    eraseAccount: {
      invalidatesTags: (_answer, error) => (error?.status === 'erasure_blocked' ? ['Erasure'] : []),
    },
  },
});

export const {
  useAddPasskeyMutation,
  useAskPasswordResetMutation,
  useBeginConfirmationMutation,
  useBeginPasskeyMutation,
  useBeginTotpMutation,
  useChangePasswordMutation,
  useConfirmIdentityMutation,
  useConfirmTotpMutation,
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useEraseAccountMutation,
  useLazyOwnDataQuery,
  useMakeBackupCodesMutation,
  useOwnErasureQuery,
  useOwnSecurityQuery,
  useOwnSessionsQuery,
  useRemovePasskeyMutation,
  useRemoveTotpMutation,
  useRenamePasskeyMutation,
  useResetPasswordMutation,
} = security;
