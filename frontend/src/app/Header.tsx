import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectIsSignedIn } from '../api/session';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { Button } from '../ui/Button';
import { IconButton } from '../ui/IconButton';
import { MenuIcon, SearchIcon } from '../ui/icons';
import { lazyComponent } from '../ui/lazyComponent';
import { keepFocus } from '../ui/page';
import { Brand } from './Brand';
import classes from './Header.module.css';
import { HeaderSearch } from './HeaderSearch';
import { LanguageSwitch } from './LanguageSwitch';
import { AccountButton } from './menu/AccountButton';
import { ariaCurrentOf, mainNavigation } from './navigation';
import { ThemeButton } from './ThemeButton';

const MenuSheet = lazyComponent(() => import(/* webpackChunkName: "menu-sheet" */ './menu/MenuSheet'));

/** The header of every page except the checkout. On narrow screens a sheet has most links; it opens from the reader's face. */
export function Header() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const search = paths.search(language);
  // These pages have a field of their own.
  const hasField = pathname !== search && pathname !== paths.campaigns(language);
  const isSignedIn = useSelector(selectIsSignedIn);
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never');

  return (
    <header className={classes.root}>
      <div className={classes.bar}>
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
          </div>
          <AccountButton isSheetOpen={sheet === 'open'} onSheet={() => setSheet('open')} />
          <div className={classes.middle}>
            <Button component={Link} to={paths.createCampaign(language)} size="sm">
              {t('nav.start')}
            </Button>
          </div>
          {!isSignedIn && (
            <IconButton
              label={t('nav.menu')}
              aria-expanded={sheet === 'open'}
              className={classes.narrow}
              onClick={() => setSheet('open')}
              icon={<MenuIcon />}
            />
          )}
        </div>
      </div>
      {sheet !== 'never' && <MenuSheet isOpen={sheet === 'open'} onClose={() => setSheet('closed')} />}
    </header>
  );
}
