import { keepAnswer, type Started } from './keepAnswer';
import { generatedOpenedPledge } from './openedPledge.generated';
import type { OwnPledgeAnswer } from './own.generated';

export type * from './openedPledge.generated';

type Cached = Parameters<typeof generatedOpenedPledge.util.selectCachedArgsForQuery>[0];

const keepPledge = (_: unknown, call: Started<OwnPledgeAnswer>) =>
  keepAnswer(call, ({ pledge }) => {
    const { selectCachedArgsForQuery, updateQueryData } = generatedOpenedPledge.util;
    for (const arg of selectCachedArgsForQuery(call.getState() as Cached, 'openPledge'))
      call.dispatch(
        updateQueryData('openPledge', arg, (opened) => {
          if (opened.pledge.pledge_id === pledge.pledge_id) opened.pledge = pledge;
        }),
      );
  });

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
