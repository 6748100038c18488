import { createAction } from '@reduxjs/toolkit';
import type { ApiError } from '../../api/apiError';
import { useAppDispatch } from '../../api/useAppDispatch';

/** Raised when a sign-in or sign-up is refused, for whoever waits for it; the payload is why. */
export const authFailed = {
  signIn: createAction<ApiError>('auth/signInFailed'),
  signUp: createAction<ApiError>('auth/signUpFailed'),
};

/** Returns the function that raises the failure event. */
export function useAuthFailed() {
  const dispatch = useAppDispatch();
  return (what: keyof typeof authFailed, error: ApiError) => void dispatch(authFailed[what](error));
}
