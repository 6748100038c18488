import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeExperimentSettingsMutation, useMoveExperimentMutation } from '../../../api/experiments';
import { experimentStageName, experimentStages } from '../../../domain/stages';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { SelectBox } from '../../../ui/SelectBox';
import { useNotify } from '../../../ui/notify';
import { StagePath } from '../../../ui/experiments/StagePath';
import { useAct } from '../useAct';
import type { Answer } from '../useEntityEditor';
import { ActFailure } from './ActFailure';
import classes from './ExperimentEditor.module.css';
import { useEditor } from './useExperimentEditor';

const needNames = [
  'title',
  'short_description',
  'json_description',
  'geographic_location',
  'tags',
  'results',
  'adoption',
] as const;

/** The stages, what the next one needs, and the move to it, which is asked about once. */
export function StageMove() {
  const { t } = useTranslation();
  const notify = useNotify();
  const title = useId();
  const { admin, experimentId, act, isStaff } = useEditor();
  const [move] = useMoveExperimentMutation();
  const [change] = useChangeExperimentSettingsMutation();
  const [isAsked, setAsked] = useState(false);
  const { run, failure, isBusy } = useAct(act);
  const next = experimentStageName(admin.stage + 1);
  const isReady = admin.stage_needs.length === 0;
  // Without what it is a part of: custom_language.results.
  const missing = admin.stage_needs.map((need) => need.split('.').at(-1));

  const moveBy = async (call: (ifMatch: string) => Promise<Answer>) => {
    const error = await run(call);
    setAsked(false);
    if (!error) notify({ tone: 'success', title: t('experimentEdit.stage.moved') });
  };
  const stage = next && t(`experimentStage.${next}`);
  return (
    <section aria-labelledby={title} id="stage" className={`${classes.part} ${classes.stage}`}>
      <div className={classes.line}>
        <h2 id={title}>{t('experimentEdit.stage.title')}</h2>
        <span className={classes.quiet}>{t('experimentEdit.stage.forward')}</span>
      </div>
      <StagePath stage={admin.stage} dates={admin.stage_dates} isMoving={isReady} />
      {stage && (
        <div className={classes.ask}>
          <div>
            <p>
              {isReady
                ? t('experimentEdit.stage.ask', { stage })
                : t('experimentEdit.stage.missing', { stage })}
            </p>
            {isReady ? (
              <p className={classes.quiet}>{t('experimentEdit.stage.text')}</p>
            ) : (
              <ul>
                {needNames
                  .filter((need) => missing.includes(need))
                  .map((need) => (
                    <li key={need}>{t(`experimentEdit.stage.need.${need}`)}</li>
                  ))}
              </ul>
            )}
          </div>
          {isReady && (
            <Button onClick={() => setAsked(true)}>{t('experimentEdit.stage.move', { stage })}</Button>
          )}
        </div>
      )}
      {!stage && <p className={classes.quiet}>{t('experimentEdit.stage.last')}</p>}
      {isStaff && (
        <div>
          <SelectBox
            label={t('experimentEdit.stage.set')}
            value={String(admin.stage)}
            choices={experimentStages.map((name, value) => ({
              value: String(value),
              label: t(`experimentStage.${name}`),
            }))}
            onChange={(value) =>
              void moveBy((ifMatch) =>
                change({
                  experimentId,
                  'If-Match': ifMatch,
                  experimentSettingsChange: { stage: Number(value) },
                }),
              )
            }
          />
          <p className={classes.quiet}>{t('experimentEdit.stage.setHelp')}</p>
        </div>
      )}
      <ActFailure failure={failure} where="StageMove" />
      {isAsked && stage && (
        <ConfirmDialog
          isOpen
          isDestructive={false}
          isConfirming={isBusy}
          title={t('experimentEdit.stage.ask', { stage })}
          confirmLabel={t('experimentEdit.stage.move', { stage })}
          cancelLabel={t('experimentEdit.stage.keep')}
          onConfirm={() => void moveBy((ifMatch) => move({ experimentId, 'If-Match': ifMatch }))}
          onCancel={() => setAsked(false)}
        >
          {t('experimentEdit.stage.sure')}
        </ConfirmDialog>
      )}
    </section>
  );
}
