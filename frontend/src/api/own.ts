import { generatedOwn } from './own.generated';

export type * from './own.generated';

/** The endpoints of a person's own pledges: only the pages of one's own load them. */
export const own = generatedOwn.enhanceEndpoints({
  addTagTypes: ['Campaign', 'Reader', 'Own', 'OwnPledges'],
  endpoints: {
    ownPledges: { providesTags: ['Reader', 'Own', 'OwnPledges'], keepUnusedDataFor: 0 },
    changePledge: {
      // The name is in the campaign's list of backers, and the checkout offers the last address.
      invalidatesTags: (answer) =>
        answer ? ['OwnPledges', 'Own', { type: 'Campaign', id: answer.pledge.campaign_id }] : [],
    },
  },
});

export const { useChangePledgeMutation, useLazyOwnPledgesQuery, useOwnPledgesQuery } = own;
