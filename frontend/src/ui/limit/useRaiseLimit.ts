import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../api/apiError';
import type { Exceeded } from '../../api/limitRefusal';
import { subscriptions } from '../../api/subscriptions';
import { useAppDispatch } from '../../api/useAppDispatch';
import { toCents } from '../../domain/amounts';
import { useErrorText } from '../../i18n/errorText';
import { askToConfirm } from '../confirmPrompt';

const calls = subscriptions.endpoints;

/** The limit that a month needs, in whole major units. */
export function limitFor({ totalMinor }: Pick<Exceeded, 'totalMinor'>): number {
  return Math.ceil(totalMinor / 100);
}

/** A raise of one's spending limit, and what becomes of it. */
export interface RaiseLimit {
  /**
   * Raises it to what the month needs, and then makes `onRaised`. One that is high enough is set as it is, because only
   * then is what waits weighed anew.
   */
  raise: () => Promise<void>;
  isRunning: boolean;
  /** Why nothing came of it. */
  failure: string | undefined;
}

/** Told the limit as it is stored now, in major units; undefined where it was not the person's and stays. */
export type OnRaised = (limit: number | undefined) => unknown;

/**
 * Raises the limit that a month crosses, and then makes `onRaised`, whose end it waits for. Only that limit: whoever has
 * changed it meanwhile, or is signed in with another account, gets no other one. Whether pledges count stays as it is.
 */
export function useRaiseLimit(exceeded: Exceeded, onRaised: OnRaised): RaiseLimit {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<ApiError>();
  /** The limit that the signed-in person did not have, in minor units. */
  const [strange, setStrange] = useState<number>();
  const { currency, limitMinor } = exceeded;

  const set = async (): Promise<{ limit: number | undefined } | { refused: unknown }> => {
    const read = await dispatch(
      calls.ownSpendingLimits.initiate(undefined, { forceRefetch: true, subscribe: false }),
    );
    if (!read.data) return { refused: read.error };
    const own = read.data.spending_limits.find((one) => one.currency === currency);
    if (!own) return { limit: undefined };
    const amount = exceeded.totalMinor > limitMinor ? limitFor(exceeded) : own.amount;
    if (toCents(own.amount) !== limitMinor)
      // Raised already by a press whose answer was lost; else it is another account's, or was changed elsewhere.
      return { limit: own.amount === amount ? amount : undefined };
    const choice = { amount, counts_pledges: own.counts_pledges };
    const answer = await dispatch(
      askingFirst(() =>
        dispatch(
          calls.setOwnSpendingLimit.initiate({ currency, spendingLimitChoice: choice }, { track: false }),
        ),
      ),
    );
    return answer.error ? { refused: answer.error } : { limit: amount };
  };

  const raise = async () => {
    if (isRunning) return;
    setRunning(true);
    setError(undefined);
    try {
      const outcome = await set();
      if ('refused' in outcome) setError(asApiError(outcome.refused));
      else {
        setStrange(outcome.limit === undefined ? limitMinor : undefined);
        await onRaised(outcome.limit);
      }
    } finally {
      setRunning(false);
    }
  };
  const failure = error
    ? `${t('spendingLimit.changeFailed')} ${errorText(error, 'RaiseLimit')}`
    : strange === limitMinor
      ? t('spendingLimit.otherAccount')
      : undefined;
  return { raise, isRunning, failure: isRunning ? undefined : failure };
}

function asApiError(error: unknown): ApiError {
  return isApiError(error) ? error : { status: 'invalid_response', http: 0 };
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
}

/** Makes a call; where it takes a person who has just shown that it is them, asks for that and makes it again. */
export const askingFirst =
  <Data>(
    call: () => PromiseLike<Answer<Data>>,
  ): ThunkAction<Promise<Answer<Data>>, unknown, unknown, UnknownAction> =>
  async (dispatch) => {
    const answer = await call();
    if (!isApiError(answer.error) || answer.error.status !== 'confirmation_required') return answer;
    return (await dispatch(askToConfirm())) ? call() : answer;
  };
