import { generatedClaims } from './claims.generated';

export type * from './claims.generated';

/** Claims about rewards. Never cached between visits: the other side acts meanwhile. */
const claims = generatedClaims.enhanceEndpoints({
  addTagTypes: ['Claim', 'OwnPledges', 'OpenedPledge'],
  endpoints: {
    ownClaim: { providesTags: ['Claim'], keepUnusedDataFor: 0 },
    openedClaim: { providesTags: ['Claim'], keepUnusedDataFor: 0 },
    claims: { providesTags: ['Claim'], keepUnusedDataFor: 0 },
    claim: { providesTags: ['Claim'], keepUnusedDataFor: 0 },
    // Also when it is refused: what is shown was wrong then.
    actOnOwnClaim: { invalidatesTags: ['Claim'] },
    actOnOpenedClaim: { invalidatesTags: ['Claim'] },
    actOnClaim: { invalidatesTags: ['Claim'] },
  },
});

export const {
  useActOnClaimMutation,
  useActOnOpenedClaimMutation,
  useActOnOwnClaimMutation,
  useClaimQuery,
  useClaimsQuery,
  useOpenedClaimQuery,
  useOwnClaimQuery,
  useRefundBackerMutation,
} = claims;
