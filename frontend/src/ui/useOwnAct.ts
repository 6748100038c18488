import { useState } from 'react';
import { isApiError } from '../api/apiError';
import { useAppDispatch } from '../api/useAppDispatch';
import { askToConfirm } from './confirmPrompt';
import { askToSignIn } from './signInPrompt';

interface Answer<Data> {
  data?: Data;
  error?: unknown;
}

/**
 * Makes calls that take a fresh proof of who is signed in: they are asked for it when the call wants it, and the call is made again.
 * Undefined once they have closed that.
 */
export function useOwnAct() {
  const dispatch = useAppDispatch();
  const [isActing, setActing] = useState(false);
  const act = async <Data>(call: () => Promise<Answer<Data>>): Promise<Answer<Data> | undefined> => {
    setActing(true);
    try {
      const first = await call();
      if (isApiError(first.error) && first.error.http === 401) dispatch(askToSignIn());
      if (!isApiError(first.error) || first.error.status !== 'confirmation_required') return first;
      return (await dispatch(askToConfirm())) ? await call() : undefined;
    } finally {
      setActing(false);
    }
  };
  return { act, isActing };
}
