import type { i18n } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/apiError';
import { resolveError, type ErrorTexts } from '../api/errors';

/** Returns the text of an error in the page's language; `where` names the component in texts for unknown errors. */
export type ErrorText = (error: ApiError, where: string) => string;

/** The page's ErrorText. The texts have to be loaded (part `errors`); without them, the server's message is used. */
export function useErrorText(): ErrorText {
  return errorTextOf(useTranslation().i18n);
}

const errorTextOf =
  (instance: i18n): ErrorText =>
  (error, where) => {
    const texts = instance.getResource(instance.language, 'translation', 'errors') as ErrorTexts | undefined;
    return resolveError(error, texts ?? {}, where);
  };
