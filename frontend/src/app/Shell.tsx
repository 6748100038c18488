import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { useLanguage } from '../i18n';
import { LoadFailureNotice } from '../ui/LoadFailureNotice';
import { SkipLink } from '../ui/SkipLink';
import { CheckoutHeader } from './CheckoutHeader';
import { Footer } from './Footer';
import { Header } from './Header';
import type { RouteHandle } from './routes';
import { SignInHost } from './SignInHost';
import classes from './Shell.module.css';

/** The frame of every page: header, footer, sign-in dialog and load failure notice. */
export function Shell() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state } = useNavigation();
  const isCheckout = useMatches().some(
    ({ handle }) => (handle as RouteHandle | undefined)?.header === 'checkout',
  );
  const main = useFocusOnNavigation();

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    <>
      <SkipLink to="main">{t('nav.skip')}</SkipLink>
      {isCheckout ? <CheckoutHeader /> : <Header />}
      {state === 'loading' && (
        <div className={classes.loading} role="progressbar" aria-label={t('nav.loading')} />
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
      <SignInHost />
      <LoadFailureNotice />
      <ScrollRestoration />
    </>
  );
}

/**
 * Moves the focus to the h1 after navigating to another path, so that screen readers announce the page. Not when only
 * the query changes or the navigation keeps the focus.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const location = useLocation();
  const { pathname } = location;
  const state = location.state as { keepFocus?: boolean } | null;
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (state?.keepFocus) return;
    const heading = main.current?.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    (heading ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, state]);

  return main;
}
