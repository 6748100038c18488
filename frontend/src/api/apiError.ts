/** Any failed request, in the one form that the app handles. */
export interface ApiError {
  /** A key of the error catalogue. */
  status: string;
  /** Says more than the status, such as why a card was declined; also a key of the catalogue. */
  code?: string;
  message?: string;
  fields?: readonly FieldError[];
  /** What some statuses have for a program to go on, as the contract says. */
  params?: Readonly<Record<string, unknown>>;
  /** The HTTP status; 0 when there was no response. */
  http: number;
  requestId?: string;
}

/** The server's validation error of one field. */
export interface FieldError {
  /** The field in the request, such as pledge_meta.email or rewards[0].title. */
  path: string;
  /** A key of the rules in the error catalogue. */
  rule: string;
  /** The values of the placeholders in the rule's text, such as min. */
  params?: Readonly<Record<string, string | number>>;
  /** The rule's text in the language of the request. */
  message: string;
}

/** Whether a caught value or a query's error is an ApiError. */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'string';
}

/**
 * Whether nothing of ours came back: no answer, one that cannot be read, such as the sign-in page of a hotel's network,
 * whatever its status, or that of a server that broke down.
 */
const isUnread = ({ status, http }: ApiError) => status === 'invalid_response' || http === 0 || http >= 500;

/** Whether the same request may succeed later: nothing of ours came back, or too much was asked for just then. */
export const isTransient = (error: ApiError) => isUnread(error) || error.http === 429;

/** Whether what was asked for may have been done all the same. It is never told as not done. */
export const isLost = (error: unknown): boolean => !isApiError(error) || isUnread(error);

/** Logs a failure that is not worth a message on the screen. */
export function logQuietly(where: string, error: unknown): void {
  console.warn(`${where}:`, isApiError(error) ? error.status : error);
}
