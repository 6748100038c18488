import { createAction } from '@reduxjs/toolkit';
import type { ApiError } from './apiError';

/** Raised when a sign-in or sign-up is refused, by the dialog, the page or the checkout; the payload is why. */
export const authFailed = {
  signIn: createAction<ApiError>('auth/signInFailed'),
  signUp: createAction<ApiError>('auth/signUpFailed'),
};
