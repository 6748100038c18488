import type { ApiError } from './apiError';
import catalogue from './errors.generated.json';
import type { Language } from '../domain/languages';

export type Texts = Readonly<Record<Language, string>>;

/** A text for a failure. Without a code it fits every code of its status. */
export interface ErrorText {
  status: string;
  code?: string;
  text: Texts;
}

// A code has a text of its own under its own name where the catalogue gives one.
const root: Readonly<Record<string, Texts | undefined>> = catalogue;

/**
 * The sentence to show for a failure: the first match of the screen's own texts, then of the catalogue; else what the
 * server said, followed by where it happened and the status.
 */
export function resolveError(
  error: ApiError,
  language: Language,
  where: string,
  own: readonly ErrorText[] = [],
): string {
  const match = own.find(
    ({ status, code }) => status === error.status && (code === undefined || code === error.code),
  );
  const texts = match?.text ?? (error.code && root[error.code]) ?? root[error.status];
  if (texts) return texts[language];
  return `${error.message ?? ''} (${where}: ${error.status})`.trim();
}
