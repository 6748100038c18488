import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { readAnew } from '../../../api/readAnew';
import { useRetireTagMutation } from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { SelectField } from '../../../ui/fields';
import { useNotify } from '../../../ui/notify';
import { useWhileHere } from '../../../ui/useWhileHere';
import classes from '../PersonDialog.module.css';
import { found, nameIn, type Labelled } from './labels';
import { useCarriers } from './useCarriers';

export interface RetireDialogProps {
  /** Without one the dialog is closed. */
  tag?: Labelled;
  /** Those that can take its place. */
  tags: readonly Labelled[];
  onClose: () => void;
}

/** Takes a tag away or puts another in its place, and says before what happens to what has it. */
export function RetireDialog({ tag, tags, onClose }: RetireDialogProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Dialog
      isOpen={tag !== undefined}
      onClose={onClose}
      title={t('staff.tags.retireTitle', { name: tag ? nameIn(language, tag.labels) : '' })}
    >
      {tag && <RetireForm key={tag.id} tag={tag} tags={tags} onDone={onClose} />}
    </Dialog>
  );
}

function RetireForm({ tag, tags, onDone }: { tag: Labelled; tags: readonly Labelled[]; onDone: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const carriers = useCarriers()(tag);
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [retire] = useRetireTagMutation();
  const [target, setTarget] = useState<Labelled>();
  const [isRetiring, setRetiring] = useState(false);
  const [failure, setFailure] = useState('');
  // With the one that was chosen, also when somebody else has retired it meanwhile: the server then refuses, and the tag is
  // not taken away without it.
  const others = found(
    target && !tags.some(({ id }) => id === target.id) ? [...tags, target] : tags,
    language,
    '',
  ).filter(({ id }) => id !== tag.id);

  const send = async () => {
    setFailure('');
    setRetiring(true);
    const { error } = await retire({ tagId: tag.id, 'If-Match': `"${tag.version}"`, into: target?.id });
    await dispatch(readAnew(['Labels']));
    setRetiring(false);
    if (!error) {
      notify({ tone: 'success', title: t('staff.tags.retired'), topic: 'labels' });
      leave();
    } else setFailure(isApiError(error) ? errorText(error, 'RetireDialog') : t('staff.labels.failed'));
  };
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <SelectField
        label={t('staff.tags.into')}
        value={target ? String(target.id) : ''}
        data={[
          { value: '', label: t('staff.tags.intoNone') },
          ...others.map(({ id, labels }) => ({ value: String(id), label: nameIn(language, labels) })),
        ]}
        error={failure}
        onChange={({ currentTarget }) =>
          setTarget(others.find(({ id }) => String(id) === currentTarget.value))
        }
      />
      <p role="status">
        {!carriers
          ? t('staff.tags.nobody')
          : target
            ? t('staff.tags.merges', { carriers, name: nameIn(language, target.labels) })
            : t('staff.tags.loses', { carriers })}
      </p>
      <p>{t('staff.tags.finally')}</p>
      <div className={classes.acts}>
        <Button variant="transparent" onClick={onDone}>
          {t('staff.labels.cancel')}
        </Button>
        <Button type="submit" variant="outline" color="danger" loading={isRetiring}>
          {t(target ? 'staff.tags.merge' : 'staff.tags.retire')}
        </Button>
      </div>
    </form>
  );
}
