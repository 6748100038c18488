import { useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useRequestReviewMutation,
  useWithdrawReviewMutation,
  type ChecklistItem,
  type ReviewAnswer,
} from '../../../api/editing';

export interface ReviewStepsOptions {
  campaignId: number;
  /** Saves what is typed; false when that did not work, and then nothing is asked for. */
  onBefore: () => Promise<boolean>;
  /** The review has moved on, or it turned out that it has: read it anew. */
  onMoved: () => void;
  /** Leads to the part of the page where something is missing. */
  onMissing: (key: ChecklistItem['key']) => void;
}

/** What a team does with its review: ask, ask again, take back. */
export function useReviewSteps({ campaignId, onBefore, onMoved, onMissing }: ReviewStepsOptions) {
  const [request, { isLoading: isAsking }] = useRequestReviewMutation();
  const [withdraw, { isLoading: isWithdrawing }] = useWithdrawReviewMutation();
  const [failure, setFailure] = useState<ApiError>();

  const finish = ({ data, error }: { data?: ReviewAnswer; error?: unknown }): boolean => {
    if (!data) setFailure(isApiError(error) ? error : { status: 'invalid_response', http: 0 });
    onMoved();
    return Boolean(data);
  };
  return {
    failure,
    isAsking,
    isWithdrawing,
    ask: async () => {
      setFailure(undefined);
      if (!(await onBefore())) return;
      const result = await request({ campaignId });
      finish(result);
      const [first] = isApiError(result.error) ? (result.error.fields ?? []) : [];
      if (first) onMissing(first.path as ChecklistItem['key']);
    },
    takeBack: async () => {
      setFailure(undefined);
      return finish(await withdraw({ campaignId }));
    },
  };
}
