import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { isApiError } from '../../api/apiError';
import { askToConfirm } from '../confirmPrompt';

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
