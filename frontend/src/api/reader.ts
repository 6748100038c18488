import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import { content } from './content';
import { paymentsApi } from './payments';
import type { State } from './reducer';
import type { LocalUser } from './session';

type QueryCacheKey = Parameters<typeof content.internalActions.removeQueryResult>[0]['queryCacheKey'];
type AppThunk = ThunkAction<void, State, ApiExtra, UnknownAction>;

/** Somebody has signed in. Answers that depend on the reader are fetched again; the old ones are shown until then. */
export const readerSignedIn = (): AppThunk => (dispatch) =>
  void dispatch(content.util.invalidateTags(['Reader']));

/**
 * Somebody has signed out or their session has ended. Their own lists are dropped at once, campaigns lose what was
 * theirs, and then all answers that depend on the reader are fetched again.
 */
export const readerSignedOut =
  (who: LocalUser): AppThunk =>
  (dispatch, getState) => {
    const state = getState();
    const campaigns = content.util.selectCachedArgsForQuery(state, 'campaign');
    const answers = campaigns.map((arg) => content.endpoints.campaign.select(arg)(state).data);
    const reset = () => {
      dispatch(content.util.resetApiState());
      dispatch(paymentsApi.util.resetApiState());
    };
    // For an editor or admin any answer may hold what is not public: drafts, hidden figures.
    if (hasRights(who.scope) || answers.some((answer) => hasRights(answer?.acl ?? []))) {
      // Later, so that the call that found the session expired can finish first.
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
