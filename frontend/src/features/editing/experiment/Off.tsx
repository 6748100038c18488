import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeExperimentSettingsMutation } from '../../../api/experiments';
import { Button } from '../../../ui/Button';
import { CheckField } from '../../../ui/CheckField';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { TrashIcon } from '../../../ui/editIcons';
import { useNotify } from '../../../ui/notify';
import { useAct } from '../useAct';
import { ActFailure } from './ActFailure';
import classes from './ExperimentEditor.module.css';
import { useEditor } from './useExperimentEditor';

/** Takes the experiment off the site: a tick, a press and a question. An admin brings it back. */
export function Off() {
  const { t } = useTranslation();
  const notify = useNotify();
  const title = useId();
  const { admin, experimentId, act, isAdmin } = useEditor();
  const [change] = useChangeExperimentSettingsMutation();
  const [agrees, setAgrees] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { run, failure, isBusy } = useAct(act);

  const set = async (disabled: boolean) => {
    const error = await run((ifMatch) =>
      change({
        experimentId,
        'If-Match': ifMatch,
        experimentSettingsChange: disabled ? { disabled, agree: agrees } : { disabled },
      }),
    );
    setAsked(false);
    setAgrees(false);
    if (!error && disabled) notify({ tone: 'success', title: t('experimentEdit.off.done') });
  };
  return (
    <section aria-labelledby={title} id="off" className={classes.off}>
      <h2 id={title}>{t('experimentEdit.off.title')}</h2>
      {admin.disabled ? (
        <>
          <p className={classes.quiet}>{t('experimentEdit.off.isOff')}</p>
          {isAdmin && (
            <Button variant="light" loading={isBusy} onClick={() => void set(false)}>
              {t('experimentEdit.off.back')}
            </Button>
          )}
        </>
      ) : (
        <>
          <p className={classes.quiet}>{t('experimentEdit.off.text', { count: admin.like_count })}</p>
          <CheckField label={t('experimentEdit.off.agree')} isChecked={agrees} onChange={setAgrees} />
          <Button
            variant="outline"
            color={agrees ? 'danger' : undefined}
            disabled={!agrees}
            leftSection={<TrashIcon size={16} />}
            onClick={() => setAsked(true)}
          >
            {t('experimentEdit.off.disable')}
          </Button>
        </>
      )}
      <ActFailure failure={failure} where="Off" />
      {isAsked && (
        <ConfirmDialog
          isOpen
          isConfirming={isBusy}
          title={t('experimentEdit.off.sure')}
          confirmLabel={t('experimentEdit.off.confirm')}
          cancelLabel={t('experimentEdit.off.cancel')}
          onConfirm={() => void set(true)}
          onCancel={() => setAsked(false)}
        >
          {t('experimentEdit.off.text', { count: admin.like_count })}
        </ConfirmDialog>
      )}
    </section>
  );
}
