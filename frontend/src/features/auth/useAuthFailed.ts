import type { ApiError } from '../../api/apiError';
import { authFailed } from '../../api/authEvents';
import { useAppDispatch } from '../../api/useAppDispatch';

/** Returns the function that raises the failure event. */
export function useAuthFailed() {
  const dispatch = useAppDispatch();
  return (what: keyof typeof authFailed, error: ApiError) => void dispatch(authFailed[what](error));
}
