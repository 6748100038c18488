import { Button } from '../ui/Button';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../api/session';
import { signOut } from '../api/signOut';
import { useAppDispatch } from '../api/useAppDispatch';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { hasUnsavedWork } from '../ui/unsavedWork';
import classes from './AccountLinks.module.css';
import { useOpenDialog } from './useNamedDialog';

/** The sign-in button, or the user's name, which leads to their campaigns, and the sign-out button. */
export function AccountLinks() {
  const { t } = useTranslation();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const dispatch = useAppDispatch();
  const openDialog = useOpenDialog();

  const press = () => {
    if (!user) openDialog('sign-in');
    else if (hasUnsavedWork()) openDialog('sign-out');
    else void dispatch(signOut());
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
      <Button variant="outline" size="sm" onClick={press}>
        {user ? t('nav.signOut') : t('nav.signIn')}
      </Button>
    </>
  );
}
