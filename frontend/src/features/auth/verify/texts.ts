import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import en from './en.json';
import fi from './fi.json';
import sv from './sv.json';

const texts: Readonly<Record<Language, typeof fi>> = { fi, en, sv };

/** What is said about confirming an address; here, because few visits need it. */
export function useTexts() {
  return texts[useLanguage()];
}
