import { generatedPledging } from './pledging.generated';

export type * from './pledging.generated';

/** The endpoints of the checkout and of its receipt: only their pages load them. */
export const pledging = generatedPledging.enhanceEndpoints({
  addTagTypes: ['Reader', 'Own'],
  endpoints: {
    pledge: { providesTags: ['Reader'] },
    linkedPledge: { keepUnusedDataFor: 0 },
    raise: { keepUnusedDataFor: 0, providesTags: ['Reader'] },
    ownAddress: { providesTags: ['Reader', 'Own'] },
  },
});

export const {
  useAskOrderLinksMutation,
  useLinkedPledgeQuery,
  useOwnAddressQuery,
  usePledgeQuery,
  useRaiseQuery,
  useReleaseRaiseMutation,
} = pledging;
