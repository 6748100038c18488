import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectUser } from '../api/session';
import { mayAdminister } from '../domain/access';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { MenuIcon, SearchIcon } from '../ui/icons';
import { lazyComponent } from '../ui/lazyComponent';
import { keepFocus } from '../ui/page';
import { AccountLinks } from './AccountLinks';
import { Brand } from './Brand';
import classes from './Header.module.css';
import { HeaderSearch } from './HeaderSearch';
import { LanguageSwitch } from './LanguageSwitch';
import { ariaCurrentOf, mainNavigation } from './navigation';
import { ThemeButton } from './ThemeButton';

const PhoneMenu = lazyComponent(() => import(/* webpackChunkName: "phone-menu" */ './PhoneMenu'));
const StaffLinks = lazyComponent(() => import(/* webpackChunkName: "staff-links" */ './StaffLinks'));

/** The header of every page except the checkout. Narrow screens have a menu button in place of most links. */
export function Header() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const search = paths.search(language);
  // These pages have a field of their own.
  const hasField = pathname !== search && pathname !== paths.campaigns(language);
  const isStaff = mayAdminister(useSelector(selectUser)?.scope ?? []);
  const [menu, setMenu] = useState<'never' | 'open' | 'closed'>('never');

  return (
    <header className={classes.root}>
      <div className={classes.bar} data-staff={isStaff || undefined}>
        <Brand />
        <nav aria-label={t('nav.main')} className={classes.links}>
          {mainNavigation.map((item) => (
            <Link
              key={item.label}
              to={item.to(language)}
              aria-current={ariaCurrentOf(item, language, pathname)}
              className={classes.link}
            >
              {t(item.label)}
            </Link>
          ))}
          {isStaff && <StaffLinks className={classes.link} />}
        </nav>
        <div className={classes.end}>
          <div className={classes.wide}>{hasField && <HeaderSearch />}</div>
          <IconButton
            component={Link}
            to={search}
            state={keepFocus}
            label={t('nav.search')}
            className={classes.searchLink}
            icon={<SearchIcon />}
          />
          <div className={classes.middle}>
            <LanguageSwitch />
            <ThemeButton />
            <AccountLinks />
            <Button component={Link} to={paths.createCampaign(language)} size="sm">
              {t('nav.start')}
            </Button>
          </div>
          <IconButton
            label={t('nav.menu')}
            aria-expanded={menu === 'open'}
            className={classes.narrow}
            onClick={() => setMenu('open')}
            icon={<MenuIcon />}
          />
        </div>
      </div>
      {menu !== 'never' && <PhoneMenu isOpen={menu === 'open'} onClose={() => setMenu('closed')} />}
    </header>
  );
}
