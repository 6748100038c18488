import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the page in the browser's tab: "Title – Talkoot", or the site alone. */
export function usePageTitle(title?: string): void {
  const { t } = useTranslation();
  const site = t('site.name');
  useEffect(() => {
    document.title = title ? `${title} – ${site}` : site;
  }, [title, site]);
}
