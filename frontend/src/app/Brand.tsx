import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { Mark } from '../ui/Mark';
import classes from './Header.module.css';

/** The logo and the name, linking to the home page. */
export function Brand() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Link to={paths.home(language)} className={classes.brand} aria-label={t('nav.home')}>
      <Mark />
      <span aria-hidden="true">{t('site.name')}</span>
    </Link>
  );
}
