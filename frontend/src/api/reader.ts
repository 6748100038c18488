import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import { content } from './content';
import { paymentsApi } from './payments';
import type { State } from './reducer';
import type { LocalUser } from './session';

type QueryCacheKey = Parameters<typeof content.internalActions.removeQueryResult>[0]['queryCacheKey'];
type Act = ThunkAction<void, State, ApiExtra, UnknownAction>;

/** Somebody has signed in. What depends on who reads is asked for again; what is on the screen stays until it comes. */
export const readerCame = (): Act => (dispatch) => void dispatch(content.util.invalidateTags(['Reader']));

/**
 * Somebody is signed in no longer. At once nothing of theirs is left: their lists are dropped, the campaigns are as
 * strangers see them, and then what depends on who reads is asked for again.
 */
export const readerLeft =
  (who: LocalUser): Act =>
  (dispatch, getState) => {
    const state = getState();
    const campaigns = content.util.selectCachedArgsForQuery(state, 'campaign');
    const answers = campaigns.map((arg) => content.endpoints.campaign.select(arg)(state).data);
    const reset = () => {
      dispatch(content.util.resetApiState());
      dispatch(paymentsApi.util.resetApiState());
    };
    // With rights any answer may hold what is not public: drafts, figures that others do not see.
    if (hasRights(who.scope) || answers.some((answer) => hasRights(answer?.acl ?? []))) {
      // The call that noticed the end of the session has its answer first.
      setTimeout(reset);
      return;
    }
    for (const { queryCacheKey } of content.util.selectInvalidatedBy(state, ['Own']))
      dispatch(content.internalActions.removeQueryResult({ queryCacheKey: queryCacheKey as QueryCacheKey }));
    for (const arg of campaigns)
      dispatch(
        content.util.updateQueryData('campaign', arg, ({ campaign }) => {
          campaign.my_relationships = [];
        }),
      );
    dispatch(content.util.invalidateTags(['Reader']));
  };

function hasRights(rights: readonly string[]): boolean {
  return rights.some((right) => right !== 'view');
}
