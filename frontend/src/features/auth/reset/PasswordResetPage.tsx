import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useAskPasswordResetMutation, useResetPasswordMutation } from '../../../api/security';
import { sessionEnded } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { all, confirmed, email, maxLength, minLength, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { PasswordField, TextField } from '../../../ui/fields';
import { askToSignIn } from '../../../ui/signInPrompt';
import { useAppForm, type RuleTable } from '../../../ui/useAppForm';
import { usePageTitle } from '../../../ui/usePageTitle';
import classes from './PasswordResetPage.module.css';
import { useResetLink, type ResetLink } from './useResetLink';

/** Sets a new password by mail: without a link's token it sends one, with it it takes the new password. */
export function Component() {
  const { t } = useTranslation();
  const { link, forget } = useResetLink();
  usePageTitle(t('auth.reset.title'));
  return (
    <AppMantineProvider>
      <article className="tk-container tk-section">
        <h1 className={`tk-form-title ${classes.title}`}>{t('auth.reset.title')}</h1>
        <div className={classes.root}>
          {link.token ? <SetPassword key={link.token} link={link} onAgain={forget} /> : <AskLink />}
        </div>
      </article>
    </AppMantineProvider>
  );
}

function AskLink() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [askReset] = useAskPasswordResetMutation();
  const [sentTo, setSentTo] = useState<string>();
  const form = useAppForm<{ email: string }>({
    initialValues: { email: '' },
    rules: { email: all(required, email) },
    onSubmit: async ({ email: typed }) => {
      const address = typed.trim();
      const { error } = await askReset({ passwordResetRequest: { email: address } });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'PasswordReset'), 'email');
      else setSentTo(address);
    },
  });
  if (sentTo !== undefined)
    return (
      <Done title={t('auth.reset.sentTitle')} text={t('auth.reset.sent', { email: sentTo })}>
        <Button variant="outline" onClick={() => setSentTo(undefined)}>
          {t('auth.reset.other')}
        </Button>
      </Done>
    );
  return (
    <form {...form.formProps} className={classes.form}>
      <p className={classes.lead}>{t('auth.reset.lead')}</p>
      <TextField label={t('auth.email')} type="email" autoComplete="username" {...form.field('email')} />
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('auth.reset.send')}
      </Button>
    </form>
  );
}

interface ResetValues {
  email: string;
  new_password: string;
  password_again: string;
}

const rules: RuleTable<ResetValues> = {
  email: all(required, email),
  new_password: all(required, minLength(8), maxLength(200)),
  password_again: all(
    required,
    confirmed<ResetValues>((values) => values.new_password),
  ),
};

function SetPassword({ link, onAgain }: { link: ResetLink; onAgain: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [resetPassword] = useResetPasswordMutation();
  const [state, setState] = useState<'typing' | 'done' | 'over'>('typing');
  const form = useAppForm<ResetValues>({
    initialValues: { email: link.email, new_password: '', password_again: '' },
    rules,
    onSubmit: async ({ email: address, new_password }) => {
      const { error } = await resetPassword({
        passwordReset: { email: address.trim(), token: link.token, new_password },
      });
      if (isApiError(error)) {
        if (error.status === 'email_link_expired') setState('over');
        form.showFailure(error, errorText(error, 'PasswordReset'), 'email');
      } else {
        dispatch(sessionEnded('expired')); // this device's session has ended too
        setState('done');
      }
    },
  });
  if (state === 'done')
    return (
      <Done title={t('auth.reset.doneTitle')} text={t('auth.reset.done')}>
        <Button
          size="lg"
          onClick={() => dispatch(askToSignIn({ prefill: { email: form.values.email.trim() } }))}
        >
          {t('nav.signIn')}
        </Button>
      </Done>
    );
  return (
    <form {...form.formProps} className={classes.form}>
      <p className={classes.lead}>{t('auth.reset.setLead')}</p>
      <TextField label={t('auth.email')} type="email" autoComplete="username" {...form.field('email')} />
      <PasswordField
        label={t('auth.reset.newPassword')}
        autoComplete="new-password"
        help={t('auth.passwordHelp')}
        {...form.field('new_password')}
      />
      <PasswordField
        label={t('auth.reset.newPasswordAgain')}
        autoComplete="new-password"
        {...form.field('password_again')}
      />
      <Button type="submit" size="xl" fullWidth loading={form.isSubmitting}>
        {t('auth.reset.set')}
      </Button>
      {state === 'over' && (
        <Button variant="outline" size="xl" fullWidth onClick={onAgain}>
          {t('auth.reset.over')}
        </Button>
      )}
    </form>
  );
}

function Done({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={classes.done}>
      <div role="status">
        <h2 className={classes.doneTitle}>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </div>
  );
}
