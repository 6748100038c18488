import { Button } from '../ui/Button';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { content } from '../api/content';
import { clearPersonalData, selectUser, sessionEnded } from '../api/session';
import { useAppDispatch } from '../api/useAppDispatch';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { useNotify } from '../ui/notify';
import { askToSignIn } from '../ui/signInPrompt';
import classes from './AccountLinks.module.css';

/** The sign-in button, or the user's name, which leads to their campaigns, and the sign-out button. */
export function AccountLinks() {
  const { t } = useTranslation();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const dispatch = useAppDispatch();
  const notify = useNotify();

  const signOut = async () => {
    // The browser signs out even if the server cannot be reached; the token then expires by itself.
    await dispatch(content.endpoints.signOut.initiate());
    dispatch(sessionEnded('signedOut'));
    clearPersonalData(window.sessionStorage, window.localStorage);
    notify({ tone: 'success', title: t('session.logoutSuccessful') });
  };

  // One element for both buttons, so that it keeps the focus when its text changes.
  return (
    <>
      {user && (
        <Link
          to={paths.myCampaigns(language)}
          className={classes.person}
          aria-label={`${user.first_name}, ${t('nav.mine')}`}
        >
          {user.first_name}
        </Link>
      )}
      <Button variant="outline" size="sm" onClick={() => (user ? void signOut() : dispatch(askToSignIn()))}>
        {user ? t('nav.signOut') : t('nav.signIn')}
      </Button>
    </>
  );
}
