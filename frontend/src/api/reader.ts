import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { mayAdminister, mayEdit, type Rights } from '../domain/access';
import type { ApiExtra } from './baseQuery';
import { content } from './content';
import { paymentsApi } from './payments';
import type { State } from './reducer';
import type { LocalUser } from './session';

type QueryCacheKey = Parameters<typeof content.internalActions.removeQueryResult>[0]['queryCacheKey'];
type AppThunk = ThunkAction<void, State, ApiExtra, UnknownAction>;

/** On sign-in: refetches what depends on the reader. The old data is shown until then. */
export const readerSignedIn = (): AppThunk => (dispatch) =>
  void dispatch(content.util.invalidateTags(['Reader']));

/**
 * On sign-out and on the end of a session: removes the reader's own data from the cache at once, then refetches what
 * depends on the reader.
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
    // What an editor or admin has loaded may not be public (drafts, hidden sums), so the whole cache is cleared.
    if (seesMore(who.scope) || answers.some((answer) => seesMore(answer?.acl ?? []))) {
      // Deferred, so that the request that found the session expired can finish first.
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

const seesMore = (rights: Rights) => mayEdit(rights) || mayAdminister(rights);
