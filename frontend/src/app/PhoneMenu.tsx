import '../ui/mantineStyles';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { Button } from '../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { AccountLinks } from './AccountLinks';
import { LanguageSwitch } from './LanguageSwitch';
import { ariaCurrentOf, mainNavigation } from './navigation';
import { CloseIcon } from '../ui/icons';
import { AppMantineProvider } from '../ui/AppMantineProvider';
import { useOpenedAfterMount } from '../ui/useOpenedAfterMount';
import classes from './PhoneMenu.module.css';
import { ThemeButton } from './ThemeButton';

interface PhoneMenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The menu of narrow screens: links, languages, theme, account. */
export default function PhoneMenu({ isOpen, onClose }: PhoneMenuProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const isShown = useOpenedAfterMount(isOpen);

  return (
    <AppMantineProvider>
      <Drawer.Root
        opened={isShown}
        onClose={onClose}
        position="right"
        size="20rem"
        zIndex="var(--tk-z-menu)"
        classNames={{ content: classes.content, header: classes.header, title: classes.title }}
      >
        <Drawer.Overlay backgroundOpacity={0.56} color="#0d1813" />
        <Drawer.Content>
          <Drawer.Header component="div">
            <Drawer.Title>{t('nav.menu')}</Drawer.Title>
            <Drawer.CloseButton aria-label={t('nav.closeMenu')} size="2.75rem" icon={<CloseIcon />} />
          </Drawer.Header>
          <Drawer.Body>
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
              </ul>
            </nav>
            <div className={classes.row}>
              <LanguageSwitch />
              <ThemeButton />
            </div>
            {/* Whatever is chosen here opens something else, and the menu makes room for it. */}
            <div className={classes.account} onClickCapture={onClose}>
              <AccountLinks />
              <Button component={Link} to={paths.info(language, 'start')}>
                {t('nav.start')}
              </Button>
            </div>
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </AppMantineProvider>
  );
}
