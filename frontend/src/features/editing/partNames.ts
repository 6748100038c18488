import { languages, type Language } from '../../domain/languages';
import { isSameDoc, type Doc } from './richText/document';

/** Splits the name of a text, such as fi.title, into language and field. Undefined for parts without a language. */
export function ofLanguage(name: string): { language: Language; field: string } | undefined {
  const [first = '', field] = name.split('.');
  const language = languages.find((one) => one === first);
  return language && field ? { language, field } : undefined;
}

/** Whether a value is a rich-text document. */
export const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'doc';

/** Whether two values of a part have the same content. Ignores outer white space, because the server trims texts. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.trim() === other.trim();
  if (isDoc(one) && isDoc(other)) return isSameDoc(one, other);
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The languages without a title. */
export function missingLanguages(parts: Readonly<Record<`${Language}.title`, string>>): Language[] {
  return languages.filter((language) => parts[`${language}.title`].trim() === '');
}
