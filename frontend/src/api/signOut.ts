import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { content } from './content';
import type { ApiExtra } from './baseQuery';
import type { State } from './reducer';
import { sessionEnded } from './session';

/** Signs out, also if the server cannot be reached; the token then expires by itself. */
export const signOut = (): ThunkAction<Promise<void>, State, ApiExtra, UnknownAction> => async (dispatch) => {
  await dispatch(content.endpoints.signOut.initiate());
  dispatch(sessionEnded('signedOut'));
};
