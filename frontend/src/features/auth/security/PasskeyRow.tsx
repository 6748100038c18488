import { useState } from 'react';
import { isApiError } from '../../../api/apiError';
import { useRemovePasskeyMutation, useRenamePasskeyMutation, type Passkey } from '../../../api/security';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { all, maxLength, required } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate, formatPastDay, platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import { KeyIcon } from './icons';
import { Row } from './Row';
import classes from './security.module.css';
import { fill, useTexts } from './texts';
import type { Confirmed } from './useConfirmed';

/** Returns the function that says when something was added and last used. */
export function useDays() {
  const texts = useTexts();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  return ({ added_at, used_at }: { added_at: string; used_at?: string }) => {
    const now = dispatch(readNow());
    const day = formatDate(language, added_at);
    if (!used_at) return fill(texts.steps.added, { day });
    const isToday = platformDay(Date.parse(used_at)) === platformDay(now);
    const used = isToday ? texts.steps.today : formatPastDay(language, used_at, now);
    return fill(texts.steps.addedUsed, { day, used });
  };
}

/** One passkey: its name, when it was used, and its acts. */
export function PasskeyRow({ passkey, confirmed }: { passkey: Passkey; confirmed: Confirmed }) {
  const texts = useTexts();
  const days = useDays();
  const notify = useNotify();
  const errorText = useErrorText();
  const [removePasskey, { isLoading }] = useRemovePasskeyMutation();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const { name, passkey_id: passkeyId } = passkey;
  const close = () => setOpen(undefined);
  const remove = async () => {
    const answer = await confirmed.run(() => removePasskey({ passkeyId }));
    if (!answer) return;
    setOpen((now) => (now === 'remove' ? undefined : now));
    if (isApiError(answer.error)) notify({ tone: 'error', title: errorText(answer.error, 'PasskeyRow') });
    else notify({ tone: 'success', title: texts.passkey.removed });
  };
  return (
    <Row icon={<KeyIcon />} title={name} text={days(passkey)}>
      <Button
        variant="transparent"
        size="sm"
        className={classes.flat}
        aria-label={fill(texts.steps.renameOf, { name })}
        onClick={() => setOpen('rename')}
      >
        {texts.steps.rename}
      </Button>
      <Button
        variant="transparent"
        size="sm"
        color="danger"
        className={classes.flat}
        aria-label={fill(texts.steps.removeOf, { name })}
        onClick={() => setOpen('remove')}
      >
        {texts.steps.remove}
      </Button>
      <Dialog isOpen={open === 'rename'} onClose={close} title={texts.passkey.renameTitle}>
        <Rename passkey={passkey} onDone={close} />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'remove'}
        title={fill(texts.passkey.removeTitle, { name })}
        confirmLabel={texts.steps.remove}
        cancelLabel={texts.passkey.keep}
        isConfirming={isLoading}
        onConfirm={() => void remove()}
        onCancel={close}
      >
        {texts.passkey.removeText}
      </ConfirmDialog>
    </Row>
  );
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const texts = useTexts();
  const errorText = useErrorText();
  const leave = useWhileHere(onDone);
  const [rename] = useRenamePasskeyMutation();
  const form = useAppForm<{ name: string }>({
    initialValues: { name: passkey.name },
    rules: { name: all(required, maxLength(60)) },
    onSubmit: async ({ name }) => {
      const { error } = await rename({ passkeyId: passkey.passkey_id, passkeyName: { name: name.trim() } });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'PasskeyRow'), 'name');
      else leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <TextField label={texts.passkey.nameLabel} data-autofocus {...form.field('name')} />
      <Button type="submit" size="lg" fullWidth loading={form.isSubmitting}>
        {texts.passkey.save}
      </Button>
    </form>
  );
}
