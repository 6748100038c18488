import { generatedOpenedPledge } from './openedPledge.generated';

export type * from './openedPledge.generated';

/** The endpoints of the page of a pledge that a mailed link opens. */
export const openedPledge = generatedOpenedPledge.enhanceEndpoints({
  addTagTypes: ['OpenedPledge', 'Campaign'],
  endpoints: {
    openPledge: { providesTags: ['OpenedPledge'], keepUnusedDataFor: 0 },
    withdrawOpenedPledge: {
      // Also when it is refused: what is shown was wrong then.
      invalidatesTags: (answer) =>
        answer ? ['OpenedPledge', { type: 'Campaign', id: answer.pledge.campaign_id }] : ['OpenedPledge'],
    },
    changeOpenedChoice: {
      invalidatesTags: (answer) =>
        answer ? ['OpenedPledge', { type: 'Campaign', id: answer.pledge.campaign_id }] : ['OpenedPledge'],
    },
    changeOpenedPledge: {
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
