import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router-dom';
import { selectUser } from '../api/session';
import { useLanguage } from '../i18n';
import { LoadFailureNotice } from '../ui/LoadFailureNotice';
import { SkipLink } from '../ui/SkipLink';
import { AccountHost } from './AccountHost';
import { CheckoutHeader } from './CheckoutHeader';
import { Footer } from './Footer';
import { Header } from './Header';
import { PledgeHost } from './PledgeHost';
import type { RouteHandle } from './routes';
import classes from './Shell.module.css';

/** The frame of every page: header, footer, account dialogs and notices. */
export function Shell() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state } = useNavigation();
  const isCheckout = useMatches().some(
    ({ handle }) => (handle as RouteHandle | undefined)?.header === 'checkout',
  );
  const main = useFocusOnNavigation();
  const person = usePerson();

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
        <Outlet key={person} />
      </main>
      <Footer />
      <PledgeHost key={person} />
      <AccountHost />
      <LoadFailureNotice />
      <ScrollRestoration />
    </>
  );
}

/**
 * Counts the people who have been signed in while the page is open. With another one it is mounted anew: what the
 * earlier one has typed, which stays when a session expires, is theirs alone.
 */
function usePerson(): number {
  const userId = useSelector(selectUser)?.user_id;
  const [last, setLast] = useState({ userId, count: 0 });
  if (userId !== undefined && userId !== last.userId)
    setLast({ userId, count: last.userId === undefined ? last.count : last.count + 1 });
  return last.count;
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
