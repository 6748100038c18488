import { useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import { useWriting } from './context';

/**
 * A change that is made at a press: what was typed is saved first, so that the versions stay in order, and the page is
 * read anew after it.
 */
export function useCall() {
  const { saver, refresh } = useWriting();
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  /** Whether it was done. */
  const run = async (call: () => Promise<{ error?: unknown }>): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    await saver.flush();
    const { error } = await call();
    if (error) setFailure(isApiError(error) ? error : { status: 'invalid_response', http: 0 });
    await refresh();
    setBusy(false);
    return !error;
  };
  return { run, failure, isBusy };
}
