import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectEnd } from '../api/session';
import { selectIsConfirmAsked } from '../ui/confirmPrompt';
import { lazyComponent } from '../ui/lazyComponent';
import { useNotify } from '../ui/notify';
import { selectSignInPrompt } from '../ui/signInPrompt';
import { useTexts } from '../ui/useTexts';

const AccountDialogs = lazyComponent(() => import(/* webpackChunkName: "sign-in" */ './AccountDialogs'));
const ConfirmDialog = lazyComponent(
  () => import(/* webpackChunkName: "confirm" */ '../features/auth/ConfirmDialog'),
);
const SessionNotice = lazyComponent(
  () => import(/* webpackChunkName: "session-notice" */ '../features/auth/SessionNotice'),
);

const textParts = ['forms', 'errors'] as const;

/**
 * The dialogs for signing in, up and out, when a page or the address asks for one, and the notice of an ended session.
 * Their code and texts are loaded the first time.
 */
export function AccountHost() {
  const { t } = useTranslation();
  const notify = useNotify();
  const isAsked = useSelector(selectSignInPrompt).isOpen;
  const isNamed = /^#sign-(in|up|out)$/.test(useLocation().hash);
  const end = useSelector(selectEnd);
  const [wasAsked, setAsked] = useState(false);
  if ((isAsked || isNamed) && !wasAsked) setAsked(true);

  useEffect(() => {
    if (end === 'signedOut') notify({ tone: 'success', title: t('session.logoutSuccessful') });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, not again in another language
  }, [end, notify]);

  const isConfirmAsked = useSelector(selectIsConfirmAsked);
  const [wasConfirmAsked, setConfirmAsked] = useState(false);
  if (isConfirmAsked && !wasConfirmAsked) setConfirmAsked(true);

  const hasTexts = useTexts(wasAsked || wasConfirmAsked || end === 'expired' ? textParts : undefined);
  if (!hasTexts) return null;
  return (
    <>
      {end === 'expired' && <SessionNotice />}
      {wasAsked && <AccountDialogs />}
      {wasConfirmAsked && <ConfirmDialog isOpen={isConfirmAsked} />}
    </>
  );
}
