import i18next, { type i18n } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { defaultLanguage, languages, type Language } from '../domain/languages';
import type fi from './fi.json';
import { loadTexts } from './texts';

type Catalogue = typeof fi;

/** Some values end with a full stop of their own, such as a day in Finnish: 5.12. */
const oneStop = {
  type: 'postProcessor',
  name: 'oneStop',
  process: (text: string) => text.replace(/(\d\.)(<\/\w+>)?\.(?=\s|$)/g, '$1$2'),
} as const;

/** Creates i18next without texts. Use `useLanguage` and `changeLanguage` instead of its own methods. */
export function makeI18n(language = defaultLanguage): i18n {
  const instance = i18next.createInstance();
  void instance
    .use(initReactI18next)
    .use(oneStop)
    .init({
      lng: language,
      supportedLngs: [...languages],
      fallbackLng: false,
      resources: {},
      partialBundledLanguages: true,
      interpolation: { escapeValue: false }, // React escapes.
      returnNull: false,
      react: { useSuspense: false, bindI18n: 'languageChanged' },
      initAsync: false,
      postProcess: ['oneStop'],
    });
  return instance;
}

/** Switches to a language after loading the shell's texts and all parts that are loaded in another language. */
export async function changeLanguage(instance: i18n, language: Language): Promise<void> {
  await loadTexts(instance, language, ['shell']);
  if (instance.resolvedLanguage !== language) await instance.changeLanguage(language);
}

/** The language of the page. */
export function useLanguage(): Language {
  return languageOf(useTranslation().i18n);
}

/** The current language. */
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
