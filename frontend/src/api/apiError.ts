/** Every failure of a call, as the rest of the app sees it. */
export interface ApiError {
  /** A key of the error catalogue. */
  status: string;
  code?: string;
  message?: string;
  fields?: readonly FieldError[];
  /** The HTTP status; 0 when there was no answer. */
  http: number;
  requestId?: string;
}

export interface FieldError {
  path: string;
  /** A key of the rules in the error catalogue. */
  rule: string;
  /** What fills the rule's text, such as min. */
  params?: Readonly<Record<string, string | number>>;
  /** The rule's text in the language in which was asked. */
  message: string;
}

export function isApiError(value: unknown): value is ApiError {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'string';
}

/** Likes, posts, tags and categories fail quietly: nobody needs a message for them, but the log keeps it. */
export function logQuietly(where: string, error: unknown): void {
  console.warn(`${where}:`, isApiError(error) ? error.status : error);
}
