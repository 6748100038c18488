import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { content } from './content';
import type { ApiExtra } from './baseQuery';
import type { State } from './reducer';
import { sessionEnded } from './session';

const patience = 3000; // ms

/** Signs out, also if the server cannot be reached or does not answer; the token then expires by itself. */
export const signOut = (): ThunkAction<Promise<void>, State, ApiExtra, UnknownAction> => async (dispatch) => {
  const unanswered = new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.race([dispatch(content.endpoints.signOut.initiate()), unanswered]);
  dispatch(sessionEnded('signedOut'));
};
