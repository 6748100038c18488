import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import en from './en.json';
import fi from './fi.json';
import sv from './sv.json';

export type Texts = typeof fi;

const texts: Readonly<Record<Language, Texts>> = { fi, en, sv };

/** The page's texts. Apart from the catalogues in src/i18n, because few visits need them. */
export const useTexts = (): Texts => texts[useLanguage()];

/** Fills a text's {{placeholders}}. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
