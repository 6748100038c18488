import type { ApiError } from './apiError';

/** The error catalogue in one language: texts by status, and by code where the catalogue has a text for the code. */
export type ErrorTexts = Readonly<Record<string, string | undefined>>;

/**
 * The text to show for an error: the catalogue's, else the server's message with `where` it happened and the status.
 */
export function resolveError(error: ApiError, texts: ErrorTexts, where: string): string {
  const text = (error.code && texts[error.code]) ?? texts[error.status];
  return text || `${error.message ?? ''} (${where}: ${error.status})`.trim();
}
