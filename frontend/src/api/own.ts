import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { keepAnswer, type Started } from './keepAnswer';
import { generatedOwn, type OwnPledgeAnswer } from './own.generated';
import type { State } from './reducer';
import { selectUser } from './session';

export type * from './own.generated';

type Cached = Parameters<typeof generatedOwn.util.selectCachedArgsForQuery>[0];

const keepPledge = (_: unknown, call: Started<OwnPledgeAnswer>) =>
  keepAnswer(call, ({ pledge }) => {
    const { selectCachedArgsForQuery, updateQueryData } = generatedOwn.util;
    for (const arg of selectCachedArgsForQuery(call.getState() as Cached, 'ownPledges'))
      call.dispatch(
        updateQueryData('ownPledges', arg, (list) => {
          list.pledges = list.pledges.map((one) => (one.pledge_id === pledge.pledge_id ? pledge : one));
        }),
      );
  });

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
