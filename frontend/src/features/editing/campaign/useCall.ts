import { useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import type { CampaignAdmin } from '../../../api/editing';
import { useWriting } from './context';
import { isSame } from './parts';

/** How often it is tried again when others go on changing other parts. */
const mostTries = 5;

const noAnswer: ApiError = { status: 'invalid_response', http: 0 };
const changedMeanwhile: ApiError = { status: 'changed_meanwhile', http: 412 };

/**
 * A change of one part of the campaign, such as its team, that is made at a press. What was typed is saved first, and the
 * page is read anew after it. When somebody else has changed another part meanwhile, it is made upon that; when they have
 * changed this one, nothing is sent, the page shows theirs, and `failure` says so.
 */
export function useCall(part: (admin: CampaignAdmin) => unknown) {
  const { admin, saver, refresh, alone } = useWriting();
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);

  const attempt = async (call: (ifMatch: string) => Promise<{ error?: unknown }>): Promise<unknown> => {
    let now = saver.version === admin.version ? admin : await refresh();
    for (let tries = 1; now; tries += 1) {
      if (!isSame(part(admin), part(now))) return changedMeanwhile;
      const { error } = await call(`"${now.version}"`);
      if (!isApiError(error) || error.http !== 412 || tries === mostTries) return error;
      now = await refresh();
    }
    return noAnswer;
  };
  /** Whether it was done. */
  const run = async (call: (ifMatch: string) => Promise<{ error?: unknown }>): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    await saver.flush();
    const error = await alone(() => attempt(call));
    if (error) setFailure(isApiError(error) ? error : noAnswer);
    setBusy(false);
    return !error;
  };
  return { run, failure, isBusy };
}
