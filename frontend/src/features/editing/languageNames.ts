import type { Language } from '../../domain/languages';

/** Each language's name in that language, so that its speakers recognise it. */
export const languageNames: Readonly<Record<Language, string>> = {
  fi: 'Suomi',
  en: 'English',
  sv: 'Svenska',
};
