import { isApiError, isTransient, type ApiError } from '../../api/apiError';

/** No answer came that can be read. */
export const noAnswer: ApiError = { status: 'invalid_response', http: 0 };

/** A call's error in the one form that the app handles. */
export const failureOf = (error: unknown): ApiError => (isApiError(error) ? error : noAnswer);

/** Whether the server refused the request: nothing was created, and the same idempotency key would be refused again. */
export const isRefusal = (error: ApiError) => !isTransient(error) && error.http >= 400 && error.http !== 401;

/** Whether the server will never take another value: the campaign has opened, or a goal is reached. */
export const isFixed = ({ fields }: ApiError) => fields?.some(({ rule }) => rule === 'fixed') ?? false;
