import type { i18n } from 'i18next';
import type { Language } from '../src/domain/languages';
import { changeLanguage } from '../src/i18n';
import { loadTexts } from '../src/i18n/texts';

/** Switches to a language with all its texts loaded, for tests that render no page, which would load them. */
export async function loadAllTexts(instance: i18n, language: Language): Promise<void> {
  await loadTexts(instance, language, [
    'shell',
    'inner',
    'forms',
    'pledge',
    'editing',
    'overview',
    'own',
    'errors',
  ]);
  await changeLanguage(instance, language);
}
