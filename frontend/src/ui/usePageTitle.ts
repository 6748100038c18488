import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the page in the browser's tab: "Title – Talkoot". Until a title is known the tab keeps the one it has. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation();
  const site = t('site.name');
  useEffect(() => {
    if (title) document.title = `${title} – ${site}`;
  }, [title, site]);
}
