import { useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import type { CampaignAdmin } from '../../../api/editing';
import { isFixed } from '../isRefusal';
import { useWriting } from './context';
import { isSame } from './parts';

/** How often the request is sent at most, while others keep changing other parts. */
const maxTries = 5;

const noAnswer: ApiError = { status: 'invalid_response', http: 0 };
const changedMeanwhile: ApiError = { status: 'changed_meanwhile', http: 412 };

/**
 * A change of one part of the campaign, such as its team, with its own button and If-Match. Unsaved texts are saved
 * first, and the campaign is read again afterwards. If somebody else has changed another part meanwhile, the request is
 * sent with the new version; if they have changed this part, nothing is sent, the page shows their change, and
 * `failure` says so. `part` selects the part, to detect that.
 */
export function useConditionalUpdate(part: (admin: CampaignAdmin) => unknown) {
  const { admin, saver, refresh, runExclusive } = useWriting();
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);

  const attempt = async (call: (ifMatch: string) => Promise<{ error?: unknown }>): Promise<unknown> => {
    let now = saver.version === admin.version ? admin : await refresh();
    for (let tries = 1; now; tries += 1) {
      if (!isSame(part(admin), part(now))) return changedMeanwhile;
      const { error } = await call(`"${now.version}"`);
      if (!isApiError(error) || error.http !== 412 || tries === maxTries) return error;
      now = await refresh();
    }
    return noAnswer;
  };
  /** Resolves to whether the change was made. `onFixed`: it never will be, so nothing of it is to be kept. */
  const run = async (
    call: (ifMatch: string) => Promise<{ error?: unknown }>,
    onFixed?: () => void,
  ): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    await saver.flush();
    const error = await runExclusive(() => attempt(call));
    if (error) setFailure(isApiError(error) ? error : noAnswer);
    if (isApiError(error) && isFixed(error)) onFixed?.();
    setBusy(false);
    return !error;
  };
  return { run, failure, isBusy };
}
