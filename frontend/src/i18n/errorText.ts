import type { i18n } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/apiError';
import { resolveError, type ErrorTexts } from '../api/errors';

/** The sentence for a failure, in the page's language. */
export type ErrorText = (error: ApiError, where: string) => string;

export function useErrorText(): ErrorText {
  return errorTextOf(useTranslation().i18n);
}

const errorTextOf =
  (instance: i18n): ErrorText =>
  (error, where) => {
    const texts = instance.getResource(instance.language, 'translation', 'errors') as ErrorTexts | undefined;
    return resolveError(error, texts ?? {}, where);
  };
