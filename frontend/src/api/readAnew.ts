import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import { content } from './content';
import type { State } from './reducer';

/**
 * Waits until the content service's answers that a call has made old have been read anew, and goes on, too, if that fails
 * or nobody looks at them any more. Who is told of the call then sees what is so now, and is not refused once more for what
 * the page did not know yet.
 */
export function readAnew(): ThunkAction<Promise<void>, State, ApiExtra, UnknownAction> {
  return async (dispatch) => {
    for (;;) {
      const reads = dispatch(content.util.getRunningQueriesThunk());
      if (reads.length === 0) break;
      await Promise.all(reads);
    }
    // Answers are shown with the next frame; any other action shows them now.
    dispatch({ type: 'content/readAnew' });
  };
}
