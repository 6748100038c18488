import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import { content } from './content';
import type { State } from './reducer';

/** Names of cache tags. Lazily loaded parts of the API have some of their own, which its type does not know. */
type Tags = readonly (string | { type: string; id: number })[];

/** Shows the answers that have come: they are shown with the next frame, but any other action shows them now. */
export const showNow = { type: 'content/showNow' };

/**
 * Waits until the content service's answers that a call has made old, named by their tags, have been read anew, and goes on, too,
 * if that fails or nobody looks at them any more. Who is told of the call then sees what is so now, and is not refused once more
 * for what the page did not know yet. It waits for no other read, and for no other call.
 */
export function readAnew(tags: Tags): ThunkAction<Promise<void>, State, ApiExtra, UnknownAction> {
  return async (dispatch, getState) => {
    const { endpoints, util } = content;
    const named = () => util.selectInvalidatedBy(getState(), tags as never);
    const running = () =>
      named().flatMap(
        ({ endpointName, originalArgs }) =>
          dispatch(util.getRunningQueryThunk(endpointName as never, originalArgs as never)) ?? [],
      );
    // Those that the call's answer has begun, and before them those that were under way, whose answers may be older.
    for (let reads = running(); reads.length > 0; reads = running()) await Promise.all<unknown>(reads);
    // While anything else waits for its answer the library keeps back what is to be read again.
    const isKeptBack =
      dispatch(util.getRunningQueriesThunk()).length + dispatch(util.getRunningMutationsThunk()).length > 0;
    if (isKeptBack)
      await Promise.all<unknown>(
        named().map(({ endpointName, originalArgs }) =>
          dispatch(
            endpoints[endpointName as 'campaign'].initiate(originalArgs as never, {
              subscribe: false,
              forceRefetch: true,
            }),
          ),
        ),
      );
    dispatch(showNow);
  };
}
