import { Button } from '../../ui/Button';
import { useEffect, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignInMutation } from '../../api/account';
import { isApiError } from '../../api/apiError';
import { useErrorText } from '../../i18n/errorText';
import { PasswordField, TextField } from '../../ui/fields';
import type { Prefill } from '../../ui/signInPrompt';
import { useAppForm } from '../../ui/useAppForm';
import classes from './auth.module.css';
import { signInRules, type SignInValues } from './rules';
import { useStartSession } from './useSession';

export interface AuthFormProps {
  onDone: () => void;
  prefill?: Prefill;
  /** The form keeps this at its current values, without passwords. */
  typedRef: RefObject<Prefill>;
}

/** The sign-in form. Unlike sign-up it has no UnsavedGuard, because browsers fill it in. */
export function SignInForm({ onDone, prefill, typedRef }: AuthFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [signIn] = useSignInMutation();
  const startSession = useStartSession();

  const form = useAppForm<SignInValues>({
    initialValues: { email: prefill?.email ?? '', password: '' },
    rules: signInRules,
    onSubmit: async (values) => {
      const { data, error } = await signIn({
        credentials: { email: values.email.trim(), password: values.password },
      });
      if (data) {
        startSession(data, 'login');
        onDone();
      } else if (isApiError(error)) {
        form.showFailure(error, errorText(error, 'SignInForm'), 'password');
      }
    },
  });

  const { email } = form.values;
  useEffect(() => {
    typedRef.current = { ...prefill, email };
  }, [email, prefill, typedRef]);

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
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('nav.signIn')}
      </Button>
    </form>
  );
}
