import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useAddPasskeyMutation, useBeginPasskeyMutation } from '../../../api/security';
import { all, maxLength, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import { makePasskey } from '../passkeys';
import classes from './security.module.css';
import { useTexts } from './texts';
import type { Confirmed } from './useConfirmed';

export interface AddProps {
  isOpen: boolean;
  confirmed: Confirmed;
  onClose: () => void;
  /** Gets the backup codes that came with the account's first second step. */
  onAdded: (backupCodes?: readonly string[]) => void;
}

/** Names a passkey and lets the device make it. */
export function AddPasskey({ isOpen, onClose, ...rest }: AddProps) {
  const texts = useTexts();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.passkey.title}>
      <AddForm {...rest} />
    </Dialog>
  );
}

function AddForm({ confirmed, onAdded }: Omit<AddProps, 'isOpen' | 'onClose'>) {
  const { t } = useTranslation();
  const texts = useTexts();
  const errorText = useErrorText();
  const notify = useNotify();
  const [begin] = useBeginPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  /** Resolves to why there is no passkey; undefined if there is one, or the person has closed a dialog. */
  const make = async (name: string): Promise<unknown> => {
    const begun = await confirmed.run(() => begin());
    if (!begun?.data) return begun?.error;
    const passkey = await makePasskey(begun.data.options);
    if (!passkey) return 'interrupted';
    const { data, error } = await add({
      newPasskey: { challenge: begun.data.challenge, name, passkey },
    });
    if (!data) return error;
    notify({ tone: 'success', title: texts.passkey.added });
    onAdded(data.backup_codes);
    return undefined;
  };
  const form = useAppForm<{ name: string }>({
    initialValues: { name: texts.passkey.suggested },
    rules: { name: all(required, maxLength(60)) },
    onSubmit: async ({ name }) => {
      const error = await make(name.trim());
      if (isApiError(error))
        form.setError('name', error.fields?.[0]?.message ?? errorText(error, 'AddPasskey'));
      else if (error) form.setError('name', t('auth.passkeyFailed'));
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <TextField
        label={texts.passkey.nameLabel}
        help={texts.passkey.nameHelp}
        data-autofocus
        {...form.field('name')}
      />
      <Button type="submit" size="lg" fullWidth loading={form.isSubmitting}>
        {texts.passkey.go}
      </Button>
    </form>
  );
}
