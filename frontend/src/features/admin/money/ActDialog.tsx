import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { all, maxLength, minLength, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextareaField, TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import { useOwnAct } from '../../../ui/useOwnAct';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from './ActDialog.module.css';

interface Answer {
  data?: unknown;
  error?: unknown;
}

export interface ActDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The question. */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** A verb that names the act. */
  label: string;
  isDestructive?: boolean;
  /** What has become so, for the notice; of the answer, if it matters. */
  done: string | ((data: unknown) => string);
  /** A number that the act needs beside the note. */
  number?: string;
  act: (note: string, number: number) => Promise<Answer>;
}

/** Asks why somebody does something, and for a fresh proof of who they are when that is wanted. Nothing is done without a note. */
export function ActDialog(props: ActDialogProps) {
  const { isOpen, onClose, title } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {isOpen && <Form {...props} />}
    </Dialog>
  );
}

function Form({ onClose, children, label, isDestructive = false, done, number, act }: ActDialogProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const leave = useWhileHere(onClose);
  const own = useOwnAct();
  const form = useAppForm<{ note: string; number: string }>({
    initialValues: { note: '', number: '' },
    rules: {
      note: all(required, minLength(3), maxLength(500)),
      ...(number && { number: required }),
    },
    onSubmit: async ({ note, number: typed }) => {
      const answer = await own.act(() => act(note.trim(), Number(typed)));
      if (!answer) return;
      if (isApiError(answer.error)) {
        form.showFailure(answer.error, errorText(answer.error, 'ActDialog'), 'note');
        return;
      }
      notify({
        tone: 'success',
        title: typeof done === 'string' ? done : done(answer.data),
        topic: 'desk',
        isAboutMoney: true,
      });
      leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <div className={classes.text}>{children}</div>
      {number && <TextField label={number} inputMode="numeric" {...form.field('number')} />}
      <TextareaField
        label={t('desk.note.label')}
        help={t('desk.note.help')}
        autosize
        minRows={2}
        {...form.field('note')}
      />
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onClose}>
          {t('desk.note.keep')}
        </Button>
        <Button
          type="submit"
          variant={isDestructive ? 'outline' : 'filled'}
          color={isDestructive ? 'danger' : undefined}
          loading={form.isSubmitting}
        >
          {label}
        </Button>
      </div>
    </form>
  );
}
