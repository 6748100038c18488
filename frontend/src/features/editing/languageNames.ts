import type { Language } from '../../domain/languages';

/** Each language in its own tongue, as those who read it look for it. */
export const languageNames: Readonly<Record<Language, string>> = {
  fi: 'Suomi',
  en: 'English',
  sv: 'Svenska',
};
