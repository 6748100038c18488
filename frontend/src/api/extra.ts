import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { ApiExtra } from './baseQuery';
import type { TokenAnswer } from './account';
import type { PublicConfig } from './pageData';
import { signedIn } from './session';

type ExtraThunk<Result> = ThunkAction<Result, unknown, ApiExtra, UnknownAction>;

/** The public settings that came with the page. */
export const readConfig =
  (): ExtraThunk<PublicConfig> =>
  (_dispatch, _getState, { page }) =>
    page.config;

/** The store's clock, in milliseconds. */
export const readNow =
  (): ExtraThunk<number> =>
  (_dispatch, _getState, { now }) =>
    now();

/** Starts a session. Its lifetime counts from now by the store's clock. */
export const startSession =
  ({ token, user }: TokenAnswer): ExtraThunk<void> =>
  (dispatch, _getState, { now }) =>
    void dispatch(signedIn({ token: { string: token.string, timestamp: now() }, user }));
