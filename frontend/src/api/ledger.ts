import { generatedLedger, type LedgerDaysAnswer } from './ledger.generated';

export type * from './ledger.generated';

/** The sealed days of the book, page by page, the latest first. */
export const ledger = generatedLedger.injectEndpoints({
  endpoints: (build) => ({
    sealedDays: build.infiniteQuery<LedgerDaysAnswer, undefined, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ days, has_more: hasMore }) => (hasMore ? days.at(-1)?.day : undefined),
      },
      query: ({ pageParam }) => ({ url: '/api/ledger/days', params: { before: pageParam } }),
    }),
  }),
});

export const { useSealedDaysInfiniteQuery } = ledger;
