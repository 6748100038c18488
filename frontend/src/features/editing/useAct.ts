import { useState } from 'react';
import type { ApiError } from '../../api/apiError';
import type { Act, Answer } from './useEntityEditor';

/** The state of a button that makes a call with the editor's `act`: whether it is busy, and why it failed last. */
export function useAct<Entity>(act: Act<Entity>, part?: (entity: Entity) => unknown) {
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  /** Resolves to why it failed. */
  const run = async (call: (ifMatch: string) => Promise<Answer>): Promise<ApiError | undefined> => {
    setBusy(true);
    setFailure(undefined);
    const error = await act(call, part);
    setBusy(false);
    setFailure(error);
    return error;
  };
  return { run, failure, isBusy, forget: () => setFailure(undefined) };
}
