import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the document title to "Title – Talkoot". While `title` is undefined, the title stays as it is. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation();
  const site = t('site.name');
  useEffect(() => {
    if (title) document.title = `${title} – ${site}`;
  }, [title, site]);
}
