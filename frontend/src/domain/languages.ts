/** The app's languages. The first is the default and has no prefix in paths. */
export const languages = ['fi', 'en', 'sv'] as const;

/** A language of the app. */
export type Language = (typeof languages)[number];

/** The language of addresses without a language prefix. */
export const defaultLanguage: Language = 'fi';

/** The path prefix of a language: '' for Finnish, 'en/' or 'sv/'. */
export function prefix(language: Language): string {
  return language === defaultLanguage ? '' : `${language}/`;
}

/** Splits a path into its language and the rest, which starts with a slash. */
export function splitLanguage(pathname: string): { language: Language; rest: string } {
  const [, first = '', ...others] = pathname.split('/');
  const language = languages.find((one) => one === first && one !== defaultLanguage);
  return language
    ? { language, rest: `/${others.join('/')}` }
    : { language: defaultLanguage, rest: pathname };
}

/** The path of the same page in another language. */
export function inLanguage(pathname: string, language: Language): string {
  return `/${prefix(language)}${splitLanguage(pathname).rest.slice(1)}`;
}

/**
 * The lang attribute of a text: undefined if it is in the page's language. Headings with one also show the language's
 * name (styles/base.css).
 */
export function foreignLang(textLanguage: string | undefined, language: Language): string | undefined {
  return textLanguage === language ? undefined : textLanguage;
}
