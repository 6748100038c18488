import type { Language } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import en from './en.json';
import fi from './fi.json';
import sv from './sv.json';

const texts: Readonly<Record<Language, typeof fi>> = { fi, en, sv };

/** The texts about confirming an email address. Not in the catalogues of src/i18n, because few visits need them. */
export function useTexts() {
  return texts[useLanguage()];
}
