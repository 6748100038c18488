import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Button } from '../../ui/Button';
import { FootNotice } from '../../ui/FootNotice';
import { LockIcon } from '../../ui/icons';
import { askToSignIn, selectSignInPrompt } from '../../ui/signInPrompt';

/**
 * Tells that the session has ended, until somebody signs in or closes it: whoever comes back after 12 hours has not been
 * looking for the seconds that a toast stays.
 */
export default function SessionNotice() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSigningIn = useSelector(selectSignInPrompt).isOpen;
  const [isClosed, setClosed] = useState(false);
  if (isClosed || isSigningIn) return null;
  return (
    <FootNotice
      icon={<LockIcon />}
      title={t('auth.ended.title')}
      acts={
        <>
          <Button variant="transparent" size="sm" onClick={() => setClosed(true)}>
            {t('action.close')}
          </Button>
          <Button size="sm" onClick={() => dispatch(askToSignIn())}>
            {t('auth.ended.again')}
          </Button>
        </>
      }
    >
      {t('auth.ended.text')}
    </FootNotice>
  );
}
