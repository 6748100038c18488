import { Button } from '../../ui/Button';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppDispatch } from '../../api/useAppDispatch';
import { Dialog } from '../../ui/Dialog';
import { askToSignIn, type Prefill, type SignInPrompt } from '../../ui/signInPrompt';
import { useOpenedAfterMount } from '../../ui/useOpenedAfterMount';
import classes from './auth.module.css';
import { SignInForm } from './SignInForm';
import { SignUpForm } from './SignUpForm';

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
  // Supporting needs no account; whoever is here to do something else is not told.
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
  const form = { onDone: () => onClose(), prefill: prompt.prefill, typedRef };

  return (
    <Dialog
      isOpen={isShown}
      onClose={() => onClose(typedRef.current)}
      title={isSignIn ? t('auth.signInTitle') : t('auth.signUpTitle')}
      aside={<div className={classes.art} />}
    >
      {prompt.reason && <p className={classes.reason}>{t(`auth.reason.${prompt.reason}`)}</p>}
      {isSignIn ? <SignInForm {...form} /> : <SignUpForm {...form} />}
      <p className={classes.other}>
        {isSignIn ? t('auth.newHere') : t('auth.haveAccount')}{' '}
        <Button variant="transparent" size="sm" className={classes.switch} onClick={switchMode}>
          {isSignIn ? t('auth.makeAccount') : t('nav.signIn')}
        </Button>
        {isSignIn && !needsAccount && <>. {t('auth.noNeed')}</>}
      </p>
    </Dialog>
  );
}
