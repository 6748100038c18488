import { Button } from '../../ui/Button';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecondStep } from '../../api/account';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Dialog } from '../../ui/Dialog';
import { askToSignIn, type Prefill, type SignInPrompt } from '../../ui/signInPrompt';
import { useOpenedAfterMount } from '../../ui/useOpenedAfterMount';
import { SignUpForm } from './SignUpForm';
import { SignInForm } from './SignInForm';
import { SecondStepForm } from './SecondStepForm';
import classes from './auth.module.css';

export interface SignInDialogProps {
  prompt: SignInPrompt;
  /** Gets what was typed so far, or nothing after a successful sign-in. */
  onClose: (typed?: Prefill) => void;
}

/** The dialog for signing in and signing up. */
export default function SignInDialog({ prompt, onClose }: SignInDialogProps) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isShown = useOpenedAfterMount(prompt.isOpen);

  const isSignIn = prompt.mode === 'signIn';
  // That pledging needs no account is not mentioned to somebody whose action does need one.
  const needsAccount = prompt.reason !== undefined;
  // What was typed is kept when switching between the two forms.
  const typedRef = useRef<Prefill>({});
  const switchMode = () =>
    dispatch(
      askToSignIn({
        ...prompt,
        mode: isSignIn ? 'signUp' : 'signIn',
        prefill: typedRef.current,
      }),
    );
  const [asked, setAsked] = useState<SecondStep>();
  const close = (typed?: Prefill) => {
    setAsked(undefined);
    onClose(typed);
  };
  const form = { onDone: () => close(), prefill: prompt.prefill, typedRef };
  const title = isSignIn ? t('auth.signInTitle') : t('auth.signUpTitle');

  return (
    <Dialog
      isOpen={isShown}
      onClose={() => close(typedRef.current)}
      title={asked ? t('auth.step.title') : title}
      aside={<div className={classes.art} />}
    >
      {asked ? (
        <SecondStepForm asked={asked} onDone={() => close()} onBack={() => setAsked(undefined)} />
      ) : (
        <>
          {prompt.reason && <p className={classes.reason}>{t(`auth.reason.${prompt.reason}`)}</p>}
          {isSignIn ? <SignInForm {...form} onSecondStep={setAsked} /> : <SignUpForm {...form} />}
          <p className={classes.other}>
            {isSignIn ? t('auth.newHere') : t('auth.haveAccount')}{' '}
            <Button variant="transparent" size="sm" className={classes.switch} onClick={switchMode}>
              {isSignIn ? t('auth.makeAccount') : t('nav.signIn')}
            </Button>
            {isSignIn && !needsAccount && <>. {t('auth.noNeed')}</>}
          </p>
        </>
      )}
    </Dialog>
  );
}
