import { Button } from '../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRegisterMutation } from '../../api/account';
import { isApiError } from '../../api/apiError';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useErrorText } from '../../i18n/errorText';
import { useLanguage } from '../../i18n';
import { UnsavedGuard } from '../../ui/UnsavedGuard';
import { PasswordField, TextField } from '../../ui/fields';
import { typed } from '../../ui/signInPrompt';
import { useAppForm } from '../../ui/useAppForm';
import classes from './auth.module.css';
import { signUpRules, type SignUpValues } from './rules';
import type { AuthFormProps } from './SignInForm';
import { useAuthFailed } from './useAuthFailed';
import { useStartSession } from './useStartSession';

/** The form that creates an account. */
export function SignUpForm({ onDone, prefill }: AuthFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [register] = useRegisterMutation();
  const startSession = useStartSession();
  const failed = useAuthFailed();
  // The dialog fades out with this form in it: what is kept by then must not hold anybody back.
  const [isDone, setDone] = useState(false);

  const form = useAppForm<SignUpValues>({
    initialValues: {
      first_name: prefill?.first_name ?? '',
      last_name: prefill?.last_name ?? '',
      email: prefill?.email ?? '',
      password: '',
      password_again: '',
    },
    rules: signUpRules,
    onSubmit: async ({ email, password, first_name, last_name }) => {
      const { data, error } = await register({
        registration: {
          email: email.trim(),
          password,
          first_name: first_name.trim(),
          last_name: last_name.trim(),
          language,
        },
      });
      if (data) {
        setDone(true);
        onDone();
        startSession(data, 'registration');
      } else if (isApiError(error)) {
        failed('signUp', error);
        form.showFailure(error, errorText(error, 'SignUpForm'), 'email');
      }
    },
  });

  const { email, first_name, last_name } = form.values;
  useEffect(
    () => void dispatch(typed({ email, first_name, last_name })),
    [email, first_name, last_name, dispatch],
  );

  return (
    <form {...form.formProps} className={classes.form}>
      <UnsavedGuard isOn={form.isChanged && !isDone} />
      <div className={classes.names}>
        <TextField
          label={t('auth.firstName')}
          autoComplete="given-name"
          data-autofocus
          {...form.field('first_name')}
        />
        <TextField label={t('auth.lastName')} autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <TextField label={t('auth.email')} type="email" autoComplete="email" {...form.field('email')} />
      <PasswordField
        label={t('auth.password')}
        autoComplete="new-password"
        help={t('auth.passwordHelp')}
        {...form.field('password')}
      />
      <PasswordField
        label={t('auth.passwordAgain')}
        autoComplete="new-password"
        {...form.field('password_again')}
      />
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('auth.makeAccount')}
      </Button>
    </form>
  );
}
