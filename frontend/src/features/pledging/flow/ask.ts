import { isApiError, type ApiError } from '../../../api/apiError';
import type { Answer } from './ports';

/** Narrows the error of a request to ApiError. */
export async function ask<Data>(call: PromiseLike<{ data?: Data; error?: unknown }>): Promise<Answer<Data>> {
  const { data, error } = await call;
  if (error !== undefined) return { error: asApiError(error) };
  return { data: data as Data };
}

function asApiError(error: unknown): ApiError {
  return isApiError(error) ? error : { status: 'invalid_response', http: 0 };
}
