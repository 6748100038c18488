import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectUser } from '../api/session';
import { mayAdminister } from '../domain/access';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { Button } from '../ui/Button';
import { Drawer } from '../ui/Drawer';
import { lazyComponent } from '../ui/lazyComponent';
import { useOpenedAfterMount } from '../ui/useOpenedAfterMount';
import { AccountLinks } from './AccountLinks';
import { LanguageSwitch } from './LanguageSwitch';
import { ariaCurrentOf, mainNavigation } from './navigation';
import classes from './PhoneMenu.module.css';
import { ThemeButton } from './ThemeButton';

const StaffLinks = lazyComponent(() => import(/* webpackChunkName: "staff-links" */ './StaffLinks'));

interface PhoneMenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The menu of narrow screens: links, languages, theme, account. */
export default function PhoneMenu({ isOpen, onClose }: PhoneMenuProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const isStaff = mayAdminister(useSelector(selectUser)?.scope ?? []);
  return (
    <Drawer
      isOpen={useOpenedAfterMount(isOpen)}
      onClose={onClose}
      title={t('nav.menu')}
      closeLabel={t('nav.closeMenu')}
    >
      <nav aria-label={t('nav.main')}>
        <ul className={classes.links}>
          {mainNavigation.map((item) => (
            <li key={item.label}>
              <Link
                to={item.to(language)}
                aria-current={ariaCurrentOf(item, language, pathname)}
                onClick={onClose}
                className={classes.link}
              >
                {t(item.label)}
              </Link>
            </li>
          ))}
          {isStaff && (
            <li>
              <StaffLinks className={classes.link} onClick={onClose} />
            </li>
          )}
        </ul>
      </nav>
      <div className={classes.row}>
        <LanguageSwitch />
        <ThemeButton />
      </div>
      {/* Each of these opens a page or a dialog, so the menu closes. */}
      <div className={classes.account} onClickCapture={onClose}>
        <AccountLinks />
        <Button component={Link} to={paths.createCampaign(language)}>
          {t('nav.start')}
        </Button>
      </div>
    </Drawer>
  );
}
