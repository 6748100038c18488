import type { Language } from '../domain/languages';

const locales: Readonly<Record<Language, string>> = { fi: 'fi-FI', en: 'en-GB', sv: 'sv-FI' };

/** A day, given as YYYY-MM-DD, with weekday and month in words: pe 22. tammikuuta 2027, Fri 22 January 2027. */
export function dayInWords(language: Language, day: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locales[language], { ...parts, timeZone: 'UTC' }).format(new Date(day));
}
