import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../ui/usePageTitle';

/** The front page. */
export function Component() {
  const { t } = useTranslation();
  usePageTitle();
  return (
    <div className="tk-container tk-section">
      <h1>{t('home.title')}</h1>
      <p className="tk-lead">{t('home.lead')}</p>
    </div>
  );
}
