import { useState } from 'react';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useRequestReviewMutation,
  useWithdrawReviewMutation,
  type ChecklistItem,
  type ReviewAnswer,
} from '../../../api/editing';
import { failureOf } from '../../../ui/saving/failures';

export interface ReviewStepsOptions {
  campaignId: number;
  /** Saves what is typed. Resolves to whether that worked; if not, no review is requested. */
  onBefore: () => Promise<boolean>;
  /** Called after each request: the review may have changed, also if the request was refused. Read it again. */
  onMoved: () => Promise<unknown>;
  /** Called with the first missing item, to show its part of the page. */
  onMissing: (key: ChecklistItem['key']) => void;
}

/** The team's actions on a review: request it, also again, and withdraw the request. */
export function useReviewSteps({ campaignId, onBefore, onMoved, onMissing }: ReviewStepsOptions) {
  const [request] = useRequestReviewMutation();
  const [withdraw] = useWithdrawReviewMutation();
  // Until the review has been read again: nobody may ask twice.
  const [isAsking, setAsking] = useState(false);
  const [isWithdrawing, setWithdrawing] = useState(false);
  const [failure, setFailure] = useState<ApiError>();

  const finish = async ({ data, error }: { data?: ReviewAnswer; error?: unknown }): Promise<boolean> => {
    await onMoved();
    if (!data) setFailure(failureOf(error));
    return Boolean(data);
  };
  return {
    failure,
    isAsking,
    isWithdrawing,
    ask: async () => {
      setFailure(undefined);
      if (!(await onBefore())) return;
      setAsking(true);
      const result = await request({ campaignId });
      await finish(result);
      setAsking(false);
      const [first] = isApiError(result.error) ? (result.error.fields ?? []) : [];
      if (first) onMissing(first.path as ChecklistItem['key']);
    },
    takeBack: async () => {
      setFailure(undefined);
      setWithdrawing(true);
      const isDone = await finish(await withdraw({ campaignId }));
      setWithdrawing(false);
      return isDone;
    },
  };
}
