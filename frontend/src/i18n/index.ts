import i18next, { type i18n } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { defaultLanguage, languages, type Language } from '../domain/languages';
import type fi from './fi.json';
import { loadTexts } from './texts';

type Catalogue = typeof fi;

/** An i18next without texts; `useLanguage` and `changeLanguage` are how the app speaks to it. */
export function makeI18n(language = defaultLanguage): i18n {
  const instance = i18next.createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    supportedLngs: [...languages],
    fallbackLng: false,
    resources: {},
    partialBundledLanguages: true,
    interpolation: { escapeValue: false }, // React escapes.
    returnNull: false,
    react: { useSuspense: false, bindI18n: 'languageChanged' },
    initAsync: false,
  });
  return instance;
}

/** Fetches the shell's words unless they are there, with what is shown besides, then speaks the language. */
export async function changeLanguage(instance: i18n, language: Language): Promise<void> {
  await loadTexts(instance, language, ['shell']);
  if (instance.resolvedLanguage !== language) await instance.changeLanguage(language);
}

/** The language of the page. */
export function useLanguage(): Language {
  return languageOf(useTranslation().i18n);
}

/** The language that is spoken now. */
export function languageOf(instance: i18n): Language {
  return languages.find((language) => language === instance.language) ?? defaultLanguage;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Catalogue };
    returnNull: false;
  }
}
