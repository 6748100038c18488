import { isApiError, isLost, type ApiError } from '../../../api/apiError';

declare const answered: unique symbol;

/**
 * An error that is known to be one: the service said so, or the app did not ask at all. Nothing else can be shown as a
 * refusal, so that what was not answered is never told as not done.
 */
export type Refusal = ApiError & { readonly [answered]: true };

/** The result of a request. `lost`: there was no answer, so what was asked for may have happened. */
export type Answer<Data> =
  | { data: Data; error?: undefined; lost?: undefined }
  | { data?: undefined; error: Refusal; lost?: undefined }
  | { data?: undefined; error?: undefined; lost: ApiError };

/** Waits for a request and tells a refusal from an answer that did not come. */
export async function ask<Data>(call: PromiseLike<{ data?: Data; error?: unknown }>): Promise<Answer<Data>> {
  const { data, error } = await call;
  return error === undefined ? { data: data as Data } : failed(error);
}

/** The result of a request that failed. A server that broke down in the middle of it has not answered either. */
export function failed(error: unknown): Answer<never> {
  if (!isApiError(error)) return { lost: noAnswer };
  return isLost(error) ? { lost: error } : { error: known(error) };
}

/** No answer that can be read. */
export const noAnswer: ApiError = { status: 'invalid_response', http: 0 };

/** An error of which it is known that what was asked for has not happened. */
export function known(error: ApiError): Refusal {
  return error as Refusal;
}

/** The part of an answer's data that is wanted. */
export function mapped<Data, Part>(answer: Answer<Data>, part: (data: Data) => Part): Answer<Part> {
  return answer.error || answer.lost ? answer : { data: part(answer.data) };
}

/** Whether a request has not been answered, so that it is asked again. */
export function isUnanswered(error: unknown): boolean {
  return error !== undefined && failed(error).lost !== undefined;
}
