import { useTranslation } from 'react-i18next';
import { LockIcon } from '../ui/icons';
import { Brand } from './Brand';
import classes from './Header.module.css';
import { LanguageSwitch } from './LanguageSwitch';
import { ThemeButton } from './ThemeButton';

/** The header of the checkout: only the logo links to another page, so that little distracts from paying. */
export function CheckoutHeader() {
  const { t } = useTranslation();
  return (
    <header className={classes.root}>
      <div className={`${classes.bar} ${classes.content}`}>
        <Brand />
        <div className={classes.end}>
          <span className={classes.secure}>
            <LockIcon size={16} />
            {t('nav.secure')}
          </span>
          <LanguageSwitch />
          <ThemeButton />
        </div>
      </div>
    </header>
  );
}
