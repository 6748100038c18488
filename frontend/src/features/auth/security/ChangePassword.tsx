import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useChangePasswordMutation, type Security } from '../../../api/security';
import { all, confirmed, differs, maxLength, minLength, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { PasswordField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm, type RuleTable } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from './security.module.css';
import { useTexts } from './texts';
import { useConfirmed, type Confirmed } from './useConfirmed';

interface Values {
  old_password: string;
  new_password: string;
  password_again: string;
}

/** The new password has to differ from the old one; otherwise nothing is sent. */
const rules: RuleTable<Values> = {
  old_password: required,
  new_password: all(
    required,
    minLength(8),
    maxLength(200),
    differs<Values>((values) => values.old_password),
  ),
  password_again: all(
    required,
    confirmed<Values>((values) => values.new_password),
  ),
};

interface Props {
  state: Security;
  isOpen: boolean;
  onClose: () => void;
}

/** A new password, for who knows the old one and confirms that it is them. */
export function ChangePassword({ state, isOpen, onClose }: Props) {
  const texts = useTexts();
  const confirmed = useConfirmed(state, true);
  return (
    <>
      <Dialog isOpen={isOpen} onClose={onClose} title={texts.password.title}>
        <ChangeForm run={confirmed.run} onDone={onClose} />
      </Dialog>
      {confirmed.dialog}
    </>
  );
}

function ChangeForm({ run, onDone }: { run: Confirmed['run']; onDone: () => void }) {
  const { t } = useTranslation();
  const texts = useTexts();
  const errorText = useErrorText();
  const notify = useNotify();
  const leave = useWhileHere(onDone);
  const [changePassword] = useChangePasswordMutation();
  const form = useAppForm<Values>({
    initialValues: { old_password: '', new_password: '', password_again: '' },
    rules,
    onSubmit: async ({ old_password, new_password }) => {
      const answer = await run(() => changePassword({ passwordChange: { old_password, new_password } }));
      if (!answer) return;
      if (isApiError(answer.error)) {
        form.showFailure(answer.error, errorText(answer.error, 'ChangePassword'), 'old_password');
        return;
      }
      notify({ tone: 'success', title: texts.password.saved, text: texts.password.savedText });
      leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <PasswordField
        label={texts.password.old}
        autoComplete="current-password"
        data-autofocus
        {...form.field('old_password')}
      />
      <PasswordField
        label={texts.password.new}
        autoComplete="new-password"
        help={t('auth.passwordHelp')}
        {...form.field('new_password')}
      />
      <PasswordField
        label={texts.password.again}
        autoComplete="new-password"
        {...form.field('password_again')}
      />
      <Button type="submit" size="lg" fullWidth loading={form.isSubmitting}>
        {texts.password.save}
      </Button>
    </form>
  );
}
