import { Button } from '../../ui/Button';
import { useEffect, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignInMutation } from '../../api/content';
import { isApiError } from '../../api/apiError';
import { resolveError } from '../../api/errors';
import { useLanguage } from '../../i18n';
import { PasswordField, TextField } from '../../ui/fields';
import type { SignInPrompt } from '../../ui/signInPrompt';
import { useAppForm } from '../../ui/useAppForm';
import classes from './auth.module.css';
import { signInRules, type SignInValues } from './rules';
import { useStartSession } from './useSession';

export interface AuthFormProps {
  onDone: () => void;
  prefill?: SignInPrompt['prefill'];
  /** Is kept at what stands in the form's address. */
  emailRef: RefObject<string>;
}

export function SignInForm({ onDone, prefill, emailRef }: AuthFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [signIn] = useSignInMutation();
  const startSession = useStartSession();
  const [refused, setRefused] = useState<string>();

  const form = useAppForm<SignInValues>({
    initialValues: { email: prefill?.email ?? '', password: '' },
    rules: signInRules,
    onSubmit: async (values) => {
      setRefused(undefined);
      const { data, error } = await signIn({
        credentials: { email: values.email.trim(), password: values.password },
      });
      if (data) {
        startSession(data, 'login');
        onDone();
      } else if (isApiError(error)) {
        if (form.showFieldErrors(error.fields ?? []).length === 0 && error.fields?.length) return;
        setRefused(resolveError(error, language, 'SignInForm'));
        form.focusField('password');
      }
    },
  });

  const { email } = form.form.getValues();
  useEffect(() => {
    emailRef.current = email;
  }, [email, emailRef]);

  return (
    <form {...form.formProps} className={classes.form}>
      <TextField
        label={t('auth.email')}
        type="email"
        autoComplete="username"
        data-autofocus
        {...form.field('email')}
      />
      <PasswordField
        label={t('auth.password')}
        autoComplete="current-password"
        {...form.field('password')}
        error={form.errorOf('password') ?? refused}
      />
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('nav.signIn')}
      </Button>
    </form>
  );
}
