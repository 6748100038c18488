import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { isApiError } from '../../../api/apiError';
import { useOwnSecurityQuery, type Security } from '../../../api/security';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { askToSignIn } from '../../../ui/signInPrompt';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { OwnData } from './OwnData';
import { SecondSteps } from './SecondSteps';
import classes from './security.module.css';
import { Sessions } from './Sessions';
import { useTexts } from './texts';

/** How somebody signs in, and where they are signed in. */
export function Component() {
  const { t } = useTranslation();
  const texts = useTexts();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { data, error, refetch } = useOwnSecurityQuery(undefined, { skip: !isSignedIn });
  usePageTitle(t('auth.securityTitle'));

  if (isSignedIn && data)
    return (
      <div className="tk-container tk-section">
        <h1 className="tk-form-title">{t('auth.securityTitle')}</h1>
        <p className={classes.lead}>{hasTwoSteps(data) ? texts.leadSome : texts.leadNone}</p>
        {data.is_required && !data.session_has_second_step && (
          <p className={classes.staff}>{hasTwoSteps(data) ? texts.staffAgain : texts.staff}</p>
        )}
        <SecondSteps state={data} />
        <Sessions />
        <OwnData state={data} />
      </div>
    );
  return (
    <div className="tk-container tk-section">
      <h1 className="tk-form-title">{t('auth.securityTitle')}</h1>
      <div className={classes.section}>
        {!isSignedIn ? (
          <EmptyState
            title={texts.signIn}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : error ? (
          <ErrorState onRetry={() => void refetch()}>
            {isApiError(error) && errorText(error, 'SecurityPage')}
          </ErrorState>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </div>
    </div>
  );
}

const hasTwoSteps = ({ totp, passkeys }: Security) => totp !== undefined || passkeys.length > 0;
