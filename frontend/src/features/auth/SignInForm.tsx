import { Button } from '../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  useBeginPasskeySignInMutation,
  useSignInMutation,
  useSignInWithPasskeyMutation,
} from '../../api/account';
import { isApiError } from '../../api/apiError';
import { selectEndedEmail } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { PasswordField, TextField } from '../../ui/fields';
import { secondStepAsked, typed, type Prefill } from '../../ui/signInPrompt';
import { useAppForm } from '../../ui/useAppForm';
import classes from './auth.module.css';
import { knowsPasskeys, signWithPasskey } from './passkeys';
import { signInRules, type SignInValues } from './rules';
import { useAuthFailed } from './useAuthFailed';
import { useStartSession } from './useStartSession';

export interface AuthFormProps {
  /** Called before the session begins. */
  onDone: () => void;
  prefill?: Prefill;
}

/** The sign-in form. Unlike sign-up it has no UnsavedGuard, because browsers fill it in. */
export function SignInForm({ onDone, prefill }: AuthFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const failed = useAuthFailed();
  const errorText = useErrorText();
  const [signIn] = useSignInMutation();
  const startSession = useStartSession();
  const endedEmail = useSelector(selectEndedEmail);

  const form = useAppForm<SignInValues>({
    initialValues: { email: prefill?.email ?? endedEmail ?? '', password: '' },
    rules: signInRules,
    onSubmit: async (values) => {
      const { data, error } = await signIn({
        credentials: { email: values.email.trim(), password: values.password },
      });
      if (data && 'second_step' in data) {
        dispatch(secondStepAsked(data.second_step));
      } else if (data) {
        onDone();
        startSession(data, 'login');
      } else if (isApiError(error)) {
        failed('signIn', error);
        form.showFailure(error, errorText(error, 'SignInForm'), 'password');
      }
    },
  });

  const { email } = form.values;
  useEffect(() => void dispatch(typed({ email })), [email, dispatch]);

  return (
    <form {...form.formProps} className={classes.form}>
      <TextField
        label={t('auth.email')}
        type="email"
        autoComplete="username"
        data-autofocus
        {...form.field('email')}
      />
      <PasswordField label={t('auth.password')} autoComplete="current-password" {...form.field('password')} />
      <Link to={paths.passwordReset(language)} className={classes.forgot} onClick={onDone}>
        {t('auth.forgot')}
      </Link>
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('nav.signIn')}
      </Button>
      {knowsPasskeys() && <PasskeyButton onDone={onDone} />}
    </form>
  );
}

/** Signs in with a passkey alone, without an email. */
function PasskeyButton({ onDone }: Pick<AuthFormProps, 'onDone'>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [begin] = useBeginPasskeySignInMutation();
  const [signInWithPasskey] = useSignInWithPasskeyMutation();
  const startSession = useStartSession();
  const failed = useAuthFailed();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const signIn = async () => {
    const begun = await begin();
    if (!begun.data) return begun.error;
    const passkey = await signWithPasskey(begun.data.options);
    if (!passkey) return 'interrupted';
    const { data, error } = await signInWithPasskey({
      passkeySignIn: { challenge: begun.data.challenge, passkey },
    });
    if (!data) return error;
    onDone();
    startSession(data, 'login');
    return undefined;
  };
  const press = async () => {
    setBusy(true);
    setFailure(undefined);
    const error = await signIn();
    if (isApiError(error)) failed('signIn', error);
    if (error) setFailure(isApiError(error) ? errorText(error, 'PasskeyButton') : t('auth.passkeyFailed'));
    setBusy(false);
  };
  return (
    <>
      <Button variant="outline" size="xl" fullWidth loading={isBusy} onClick={() => void press()}>
        {t('auth.withPasskey')}
      </Button>
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
    </>
  );
}
