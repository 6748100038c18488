import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { generatedContent } from '../api/content.generated';
import { selectUser, signedOut } from '../api/session';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { useNotify } from '../ui/notify';
import { askToSignIn } from '../ui/signInPrompt';
import type { AppDispatch } from './store';

/** Sign in, or the own page and sign out. */
export function AccountLinks() {
  const { t } = useTranslation();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const dispatch = useDispatch<AppDispatch>();
  const notify = useNotify();

  const signOut = async () => {
    // The browser forgets the person whatever the server says; a token that stays behind ends by its time.
    await dispatch(generatedContent.endpoints.signOut.initiate());
    dispatch(signedOut());
    notify({ tone: 'success', title: t('session.logoutSuccessful') });
  };

  if (!user) {
    return (
      <Button variant="outline" size="sm" onClick={() => dispatch(askToSignIn())}>
        {t('nav.signIn')}
      </Button>
    );
  }
  return (
    <>
      <Button component={Link} to={paths.profile(language, 'me')} variant="subtle" size="sm">
        {user.first_name || t('nav.profile')}
      </Button>
      <Button variant="outline" size="sm" onClick={() => void signOut()}>
        {t('nav.signOut')}
      </Button>
    </>
  );
}
