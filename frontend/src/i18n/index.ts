import i18next, { type i18n } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { defaultLanguage, languages, type Language } from '../domain/languages';
import type fi from './fi.json';

type Catalogue = typeof fi;

// One chunk a language, and only the one in use is fetched.
const catalogues: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  fi: () => import(/* webpackChunkName: "texts-fi" */ './fi.json'),
  en: () => import(/* webpackChunkName: "texts-en" */ './en.json'),
  sv: () => import(/* webpackChunkName: "texts-sv" */ './sv.json'),
};

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

/** Fetches the language's catalogue unless it is there, then speaks it. */
export async function changeLanguage(instance: i18n, language: Language): Promise<void> {
  if (!instance.hasResourceBundle(language, 'translation')) {
    const { default: texts } = await catalogues[language]();
    instance.addResourceBundle(language, 'translation', texts);
  }
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
