import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { content } from './content';
import type { ApiExtra } from './baseQuery';
import type { State } from './reducer';
import { sessionEnded } from './session';

const patience = 3000; // ms
const readPatience = 1000; // ms

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Signs out, also if the server cannot be reached or does not answer; the token then expires by itself. */
export const signOut = (): ThunkAction<Promise<void>, State, ApiExtra, UnknownAction> => async (dispatch) => {
  // What is being read just now, such as the menu that was opened for this, would be refused once the session is over.
  const reads = dispatch(content.util.getRunningQueriesThunk());
  if (reads.length > 0) await Promise.race([Promise.all(reads), after(readPatience)]);
  await Promise.race([dispatch(content.endpoints.signOut.initiate()), after(patience)]);
  dispatch(sessionEnded('signedOut'));
};
