import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useOwnSecurityQuery, useOwnSessionsQuery, type Security } from '../../../api/security';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { OwnPage } from '../../../ui/own/OwnPage';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { OwnData } from './OwnData';
import { SecondSteps } from './SecondSteps';
import classes from './security.module.css';
import { Sessions } from './Sessions';
import { useTexts, type Texts } from './texts';

/** How somebody signs in, and where they are signed in. */
export function Component() {
  const { t } = useTranslation();
  const texts = useTexts();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const call = useOwnSecurityQuery(undefined, { skip: !isSignedIn });
  const { data } = call;
  const { data: sessions, error: sessionsError } = useOwnSessionsQuery(undefined, { skip: !isSignedIn });
  usePageTitle(t('auth.securityTitle'));

  // Both lists come at once, so that what stands below them does not move.
  const state = isSignedIn && (sessions || sessionsError) ? data : undefined;
  return (
    <AppMantineProvider>
      <OwnPage title={t('auth.securityTitle')} lead={state && leadOf(state, texts)}>
        {state ? (
          <>
            {state.is_required && !state.session_has_second_step && (
              <p className={classes.staff}>{hasTwoSteps(state) ? texts.staffAgain : texts.staff}</p>
            )}
            <SecondSteps state={state} />
            <Sessions />
            <OwnData state={state} />
          </>
        ) : (
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
            ) : (
              <Unread of={call} where="SecurityPage" lines={10} />
            )}
          </div>
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

const leadOf = (state: Security, texts: Texts) => (hasTwoSteps(state) ? texts.leadSome : texts.leadNone);

const hasTwoSteps = ({ totp, passkeys }: Security) => totp !== undefined || passkeys.length > 0;
