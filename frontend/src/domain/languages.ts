/** The languages of the product. The first has no prefix in addresses. */
export const languages = ['fi', 'en', 'sv'] as const;

export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'fi';

/** The first segment of an address in this language: '' for Finnish, else 'en/' or 'sv/'. */
export function prefix(language: Language): string {
  return language === defaultLanguage ? '' : `${language}/`;
}

/** Splits an address's path into its language and the rest, which starts with a slash. */
export function splitLanguage(pathname: string): { language: Language; rest: string } {
  const [, first = '', ...others] = pathname.split('/');
  const language = languages.find((one) => one === first && one !== defaultLanguage);
  return language
    ? { language, rest: `/${others.join('/')}` }
    : { language: defaultLanguage, rest: pathname };
}

/** The same page in another language. */
export function inLanguage(pathname: string, language: Language): string {
  return `/${prefix(language)}${splitLanguage(pathname).rest.slice(1)}`;
}

/** The `lang` of a text on a page in a language: none when it is the page's own. Headings that have one say it in words. */
export function foreignLang(of: string | undefined, language: Language): string | undefined {
  return of === language ? undefined : of;
}
