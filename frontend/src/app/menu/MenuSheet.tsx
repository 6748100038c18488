import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectUser, type LocalUser } from '../../api/session';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { Drawer } from '../../ui/Drawer';
import { lazyComponent } from '../../ui/lazyComponent';
import { MenuRow } from '../../ui/menu/MenuRow';
import { Segments } from '../../ui/Segments';
import { chooseColorScheme, useChosenColorScheme } from '../../ui/colorScheme';
import { useOpenedAfterMount } from '../../ui/useOpenedAfterMount';
import { useTexts } from '../../ui/useTexts';
import { LanguageSwitch } from '../LanguageSwitch';
import { ariaCurrentOf, mainNavigation } from '../navigation';
import { useOpenDialog } from '../../ui/useNamedDialog';
import { Face } from './Face';
import { menuTexts } from './menuTexts';
import classes from './MenuSheet.module.css';
import { useMenuRows } from './useMenuRows';
import { useSignOutRow } from './useSignOutRow';

const GuestLinks = lazyComponent(() => import(/* webpackChunkName: "guest-links" */ './GuestLinks'));

interface MenuSheetProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The menu of narrow screens: what the reader has, or the ways in; then the site's links, languages and themes. */
export default function MenuSheet({ isOpen, onClose }: MenuSheetProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const user = useSelector(selectUser);
  const signOut = useSignOutRow();
  const hasTexts = useTexts(menuTexts);
  const opened = useOpenedAfterMount(isOpen && hasTexts);
  const scheme = useChosenColorScheme();
  if (!hasTexts) return null;
  const start = { label: 'nav.start', to: paths.createCampaign, section: /^\/create-campaign\// } as const;
  return (
    <Drawer
      isOpen={opened}
      onClose={onClose}
      title={t('nav.menu')}
      closeLabel={t('nav.closeMenu')}
      size="min(100%, 26rem)"
    >
      {user ? <Own user={user} onClose={onClose} /> : <WaysIn onClose={onClose} />}
      <nav aria-label={t('nav.main')}>
        <ul className={classes.links}>
          {[...mainNavigation, start].map((item) => (
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
        </ul>
      </nav>
      <div className={classes.choice}>
        <span aria-hidden="true">{t('nav.language')}</span>
        <LanguageSwitch look="names" />
      </div>
      <div className={classes.choice}>
        <span aria-hidden="true">{t('menu.theme')}</span>
        <Segments
          label={t('menu.theme')}
          value={scheme ?? 'device'}
          segments={(['light', 'dark', 'device'] as const).map((value) => ({
            value,
            label: t(`menu.themes.${value}`),
          }))}
          onChange={(value) => chooseColorScheme(value === 'device' ? undefined : value)}
        />
      </div>
      {user && (
        <div className={classes.signOut}>
          <MenuRow row={signOut} look="sheet" onChoose={onClose} />
        </div>
      )}
    </Drawer>
  );
}

function Own({ user, onClose }: { user: LocalUser; onClose: () => void }) {
  const { t } = useTranslation();
  const groups = useMenuRows(user);
  return (
    <>
      <div className={classes.person}>
        <Face user={user} size="large" />
        <div className={classes.words}>
          <p className={classes.name}>
            {user.first_name} {user.last_name}
          </p>
          <p className={classes.email}>{user.email}</p>
        </div>
      </div>
      <nav aria-label={t('menu.own')}>
        <ul className={classes.rows}>
          {groups.flat().map((row) => (
            <li key={row.label} className={classes.row}>
              <MenuRow row={row} look="sheet" onChoose={onClose} />
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

function WaysIn({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const openDialog = useOpenDialog();
  const open = (name: 'sign-in' | 'sign-up') => {
    onClose();
    openDialog(name);
  };
  return (
    <div className={classes.waysIn}>
      <Button size="lg" fullWidth onClick={() => open('sign-in')}>
        {t('nav.signIn')}
      </Button>
      <Button variant="transparent" fullWidth onClick={() => open('sign-up')}>
        {t('menu.signUp')}
      </Button>
      <GuestLinks />
    </div>
  );
}
