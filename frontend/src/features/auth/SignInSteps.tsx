import { useTranslation } from 'react-i18next';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Button } from '../../ui/Button';
import { secondStepAsked, type SignInPrompt } from '../../ui/signInPrompt';
import { SecondStepForm } from './SecondStepForm';
import { SignInForm } from './SignInForm';
import { SignUpForm } from './SignUpForm';
import classes from './auth.module.css';

export interface SignInStepsProps {
  prompt: SignInPrompt;
  /** Called before the session begins. */
  onDone: () => void;
  onMode: (mode: SignInPrompt['mode']) => void;
}

/** The heading of the step that is shown. */
export function useStepTitle({ mode, secondStep }: SignInPrompt): string {
  const { t } = useTranslation();
  if (secondStep) return t('auth.step.title');
  return mode === 'signIn' ? t('auth.signInTitle') : t('auth.signUpTitle');
}

/** The forms of signing in and up, one at a time: of the dialog and of the page. */
export function SignInSteps({ prompt, onDone, onMode }: SignInStepsProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { mode, reason, prefill, secondStep } = prompt;
  if (secondStep)
    return (
      <SecondStepForm
        asked={secondStep}
        onDone={onDone}
        onBack={() => dispatch(secondStepAsked(undefined))}
      />
    );
  const isSignIn = mode === 'signIn';
  // That pledging needs no account is not mentioned to somebody whose action does need one.
  const needsAccount = reason !== undefined;
  const Form = isSignIn ? SignInForm : SignUpForm;
  return (
    <>
      {reason && <p className={classes.reason}>{t(`auth.reason.${reason}`)}</p>}
      <Form onDone={onDone} prefill={prefill} />
      <p className={classes.other}>
        {isSignIn ? t('auth.newHere') : t('auth.haveAccount')}{' '}
        <Button
          variant="transparent"
          size="sm"
          className={classes.switch}
          onClick={() => onMode(isSignIn ? 'signUp' : 'signIn')}
        >
          {isSignIn ? t('auth.makeAccount') : t('nav.signIn')}
        </Button>
        {isSignIn && !needsAccount && <>. {t('auth.noNeed')}</>}
      </p>
    </>
  );
}
