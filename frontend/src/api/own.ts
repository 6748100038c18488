import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { generatedOwn, type OwnPledgeAnswer } from './own.generated';
import type { State } from './reducer';
import { selectUser } from './session';

export type * from './own.generated';

interface Started {
  dispatch: (action: unknown) => unknown;
  getState: () => unknown;
  queryFulfilled: Promise<{ data: OwnPledgeAnswer }>;
}

type Cached = Parameters<typeof generatedOwn.util.selectCachedArgsForQuery>[0];

/**
 * What a change has made of a pledge is shown at once, not when the list has been read again: nobody reads that it is done
 * beside what was before, or presses once more.
 */
const keepPledge = (_: unknown, { dispatch, getState, queryFulfilled }: Started) => {
  queryFulfilled.then(
    ({ data: { pledge } }) => {
      const { selectCachedArgsForQuery, updateQueryData } = generatedOwn.util;
      for (const arg of selectCachedArgsForQuery(getState() as Cached, 'ownPledges'))
        dispatch(
          updateQueryData('ownPledges', arg, (list) => {
            list.pledges = list.pledges.map((one) => (one.pledge_id === pledge.pledge_id ? pledge : one));
          }),
        );
    },
    () => undefined, // The caller shows it.
  );
};

/** The endpoints of a person's own pledges: only the pages of one's own load them. */
export const own = generatedOwn.enhanceEndpoints({
  addTagTypes: [
    'Campaign',
    'Reader',
    'Own',
    'OwnProfile',
    'OwnInvitations',
    'OwnPledges',
    'OwnSubscriptions',
  ],
  endpoints: {
    ownInCampaign: {
      providesTags: (_answer, _error, { campaignId }) => [
        'Reader',
        'Own',
        'OwnPledges',
        'OwnSubscriptions',
        { type: 'Campaign', id: campaignId },
      ],
    },
    ownMenu: {
      providesTags: ['Reader', 'Own', 'OwnProfile', 'OwnInvitations', 'OwnPledges', 'OwnSubscriptions'],
    },
    ownPledges: { providesTags: ['Reader', 'Own', 'OwnPledges'], keepUnusedDataFor: 0 },
    changePledge: {
      onQueryStarted: keepPledge,
      // The name is in the campaign's list of backers, and the checkout offers the last address.
      invalidatesTags: (answer) =>
        answer ? ['OwnPledges', 'Own', { type: 'Campaign', id: answer.pledge.campaign_id }] : [],
    },
    changeChoice: {
      onQueryStarted: keepPledge,
      // Also when it is refused: what is shown was wrong then.
      invalidatesTags: (answer) =>
        answer
          ? ['OwnPledges', 'Own', { type: 'Campaign', id: answer.pledge.campaign_id }]
          : ['OwnPledges', 'Own'],
    },
    withdrawPledge: {
      onQueryStarted: keepPledge,
      // Also when it is refused: what is shown was wrong then.
      invalidatesTags: (answer) =>
        answer
          ? ['OwnPledges', 'Own', { type: 'Campaign', id: answer.pledge.campaign_id }]
          : ['OwnPledges', 'Own'],
    },
  },
});

/** Asks what a signed-in reader has in a campaign, so that its page is shown with it; without an answer it is as for anybody. */
export function askMine(campaignId: number): ThunkAction<Promise<void>, unknown, unknown, UnknownAction> {
  return async (dispatch, getState) => {
    if (!selectUser(getState() as State)) return;
    // What the pages of monthly support change is not told to this list.
    const options = { subscribe: false, forceRefetch: true };
    await dispatch(own.endpoints.ownInCampaign.initiate({ campaignId }, options));
  };
}

export const {
  useChangeChoiceMutation,
  useChangePledgeMutation,
  useLazyOwnPledgesQuery,
  useOwnInCampaignQuery,
  useOwnMenuQuery,
  useOwnPledgesQuery,
  useWithdrawPledgeMutation,
} = own;
