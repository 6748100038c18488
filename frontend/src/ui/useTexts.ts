import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../i18n';
import { loadTexts, type TextPart } from '../i18n/texts';
import { untilLoaded } from './untilLoaded';

/** Whether the words of something that opens over the page are there. They are fetched as soon as there are parts. */
export function useTexts(parts: readonly TextPart[] | undefined): boolean {
  const { i18n } = useTranslation();
  const language = useLanguage();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (!parts) return;
    void untilLoaded(() => loadTexts(i18n, language, parts), 'part').then(() => setThere(true));
  }, [parts, i18n, language]);
  return isThere;
}
