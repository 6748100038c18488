import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, useSearchParams } from 'react-router-dom';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { returnAddress } from '../../../domain/returnAddress';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { secondStepAsked, selectSignInPrompt, type SignInPrompt } from '../../../ui/signInPrompt';
import { usePageTitle } from '../../../ui/usePageTitle';
import auth from '../auth.module.css';
import { SignInSteps, useStepTitle } from '../SignInSteps';
import classes from './SignInPage.module.css';

/**
 * Signing in as a page of its own, for links that were made before there was a dialog, and for password managers that
 * keep its address. Goes on to `next`, if that is an address here.
 */
export function Component() {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const [query] = useSearchParams();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [mode, setMode] = useState<SignInPrompt['mode']>('signIn');
  const { prefill, secondStep } = useSelector(selectSignInPrompt);
  const prompt: SignInPrompt = { isOpen: false, mode, prefill, secondStep };
  const title = useStepTitle(prompt);
  usePageTitle(title);
  useEffect(() => () => void dispatch(secondStepAsked(undefined)), [dispatch]);

  if (isSignedIn) {
    const next = returnAddress(query.get('next'), window.location.origin);
    return <Navigate to={next ?? paths.home(language)} replace />;
  }
  return (
    <AppMantineProvider>
      <article className="tk-container tk-section">
        <h1 className="tk-form-title">{title}</h1>
        <div className={classes.root}>
          <div>
            <SignInSteps prompt={prompt} onDone={() => undefined} onMode={setMode} />
          </div>
          <div className={`${auth.art} ${classes.art}`} />
        </div>
      </article>
    </AppMantineProvider>
  );
}
