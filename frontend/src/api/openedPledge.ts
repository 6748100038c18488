import { generatedOpenedPledge } from './openedPledge.generated';
import type { OwnPledgeAnswer } from './own.generated';

export type * from './openedPledge.generated';

interface Started {
  dispatch: (action: unknown) => unknown;
  getState: () => unknown;
  queryFulfilled: Promise<{ data: OwnPledgeAnswer }>;
}

type Cached = Parameters<typeof generatedOpenedPledge.util.selectCachedArgsForQuery>[0];

/** What a change has made of the pledge is shown at once, not when it has been read again. */
const keepPledge = (_: unknown, { dispatch, getState, queryFulfilled }: Started) => {
  queryFulfilled.then(
    ({ data: { pledge } }) => {
      const { selectCachedArgsForQuery, updateQueryData } = generatedOpenedPledge.util;
      for (const arg of selectCachedArgsForQuery(getState() as Cached, 'openPledge'))
        dispatch(
          updateQueryData('openPledge', arg, (opened) => {
            if (opened.pledge.pledge_id === pledge.pledge_id) opened.pledge = pledge;
          }),
        );
    },
    () => undefined, // The caller shows it.
  );
};

/** The endpoints of the page of a pledge that a mailed link opens. */
export const openedPledge = generatedOpenedPledge.enhanceEndpoints({
  addTagTypes: ['OpenedPledge', 'Campaign'],
  endpoints: {
    openPledge: { providesTags: ['OpenedPledge'], keepUnusedDataFor: 0 },
    withdrawOpenedPledge: {
      onQueryStarted: keepPledge,
      // Also when it is refused: what is shown was wrong then.
      invalidatesTags: (answer) =>
        answer ? ['OpenedPledge', { type: 'Campaign', id: answer.pledge.campaign_id }] : ['OpenedPledge'],
    },
    changeOpenedChoice: {
      onQueryStarted: keepPledge,
      invalidatesTags: (answer) =>
        answer ? ['OpenedPledge', { type: 'Campaign', id: answer.pledge.campaign_id }] : ['OpenedPledge'],
    },
    changeOpenedPledge: {
      onQueryStarted: keepPledge,
      invalidatesTags: (answer) =>
        answer ? ['OpenedPledge', { type: 'Campaign', id: answer.pledge.campaign_id }] : [],
    },
  },
});

export const {
  useChangeOpenedChoiceMutation,
  useChangeOpenedPledgeMutation,
  useClosePledgeLinkMutation,
  useOpenPledgeQuery,
  useRenewPledgeLinkMutation,
  useWithdrawOpenedPledgeMutation,
} = openedPledge;
