import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../../domain/paths';
import { useLanguage } from '../../../../i18n';
import { Button } from '../../../../ui/Button';
import { AskLinks } from '../../../../ui/own/AskLinks';
import classes from './SupportLink.module.css';

/** What the link cannot do, and where that is done. */
export function Others() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <p className={classes.others}>
      {t('supportLink.only')} <Link to={paths.mySubscriptions(language)}>{t('supportLink.mine')}</Link>
    </p>
  );
}

/** A link that is too old, or has lost its token. */
export function Expired() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      <h1 className="tk-form-title">{t('supportLink.expired')}</h1>
      <p className={classes.text}>{t('supportLink.expiredText')}</p>
      <AskLinks />
      <div className={classes.act}>
        <Button component={Link} variant="outline" to={paths.mySubscriptions(language)}>
          {t('supportLink.mine')}
        </Button>
      </div>
    </>
  );
}
