import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../i18n';
import { loadTexts, type TextPart } from '../i18n/texts';
import { loadWithRetry } from './loadWithRetry';

/** Loads text parts for an overlay in the page's language; returns whether they are loaded. Undefined loads none. */
export function useTexts(parts: readonly TextPart[] | undefined): boolean {
  const { i18n } = useTranslation();
  const language = useLanguage();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!parts) return;
    void loadWithRetry(() => loadTexts(i18n, language, parts), 'overlay').then(() => setLoaded(true));
  }, [parts, i18n, language]);
  return isLoaded;
}
