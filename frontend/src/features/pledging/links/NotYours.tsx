import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { Button } from '../../../ui/Button';
import { Cuts } from '../../../ui/Cuts';
import { askToSignIn } from '../../../ui/signInPrompt';
import { AskLinks } from '../../../ui/own/AskLinks';
import classes from './NotYours.module.css';

/** In place of support that is not the reader's, as far as we know: who it is, a session says, or a link by mail. */
export function NotYours() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  return (
    <article className={`tk-container ${classes.root}`}>
      <Cuts kind="quote" />
      <h1 className="tk-form-title">{t('orderLinks.title')}</h1>
      <p className={classes.text}>{t(isSignedIn ? 'orderLinks.textSignedIn' : 'orderLinks.text')}</p>
      {!isSignedIn && (
        <Button variant="light" className={classes.act} onClick={() => dispatch(askToSignIn())}>
          {t('orderLinks.signIn')}
        </Button>
      )}
      <h2 className={classes.part}>{t('orderLinks.withoutAccount')}</h2>
      <p className={classes.text}>{t('orderLinks.lead')}</p>
      <AskLinks />
    </article>
  );
}
