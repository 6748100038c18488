import type { ApiError } from './apiError';

/** The error catalogue in one language. A code has a text of its own under its own name where the catalogue gives one. */
export type ErrorTexts = Readonly<Record<string, string | undefined>>;

/** The sentence to show for a failure: the catalogue's, else what the server said, with where it happened and the status. */
export function resolveError(error: ApiError, texts: ErrorTexts, where: string): string {
  const text = (error.code && texts[error.code]) ?? texts[error.status];
  return text || `${error.message ?? ''} (${where}: ${error.status})`.trim();
}
