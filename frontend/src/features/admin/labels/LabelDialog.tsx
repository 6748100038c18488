import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { readAnew } from '../../../api/readAnew';
import type { Labels, LabelsChange } from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { languages } from '../../../domain/languages';
import { maxLength } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useAppForm } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from '../PersonDialog.module.css';

export interface LabelDialogProps {
  isOpen: boolean;
  title: string;
  /** The names there are now; none for a new one. */
  labels: Labels;
  help?: string;
  onSave: (change: LabelsChange) => Promise<{ error?: unknown }>;
  onClose: () => void;
}

/** The names of a category or tag in each language, beside each other. */
export function LabelDialog({ isOpen, title, onClose, ...rest }: LabelDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {isOpen && <LabelForm onDone={onClose} {...rest} />}
    </Dialog>
  );
}

type LabelFormProps = Pick<LabelDialogProps, 'labels' | 'help' | 'onSave'> & { onDone: () => void };

function LabelForm({ labels, help, onSave, onDone }: LabelFormProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [opened] = useState(labels);
  const form = useAppForm({
    initialValues: { fi: labels.fi ?? '', en: labels.en ?? '', sv: labels.sv ?? '' },
    rules: (values) => ({
      fi: languages.every((one) => !values[one].trim()) ? { key: 'required' } : maxLength(40)(values.fi, {}),
      en: maxLength(40)(values.en, {}),
      sv: maxLength(40)(values.sv, {}),
    }),
    onSubmit: async (_values, changed) => {
      if (Object.keys(changed).length === 0) {
        onDone();
        return;
      }
      const { error } = await onSave({ labels: changed });
      await dispatch(readAnew(['Labels']));
      if (!error) {
        notify({ tone: 'success', title: t('staff.labels.saved'), topic: 'labels' });
        leave();
      } else if (isApiError(error)) {
        form.showFailure(error, errorText(error, 'LabelDialog'), 'fi');
      }
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      {help && <p>{help}</p>}
      {languages.map((language) => {
        const field = form.field(language);
        const error = form.errorOf(language);
        // What somebody else has made of it meanwhile.
        const now =
          labels[language] !== opened[language] &&
          t('staff.labels.now', { label: labels[language] ?? t('staff.labels.missing') });
        return (
          <TextField
            key={language}
            label={t(`staff.labels.in.${language}`)}
            lang={language}
            maxLength={40}
            {...field}
            help={now}
            error={
              error && (
                <>
                  {error} {now}
                </>
              )
            }
          />
        );
      })}
      <p>{t('staff.labels.missingHelp')}</p>
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('staff.labels.cancel')}
        </Button>
        <Button type="submit" loading={form.isSubmitting}>
          {t('staff.labels.save')}
        </Button>
      </div>
    </form>
  );
}
