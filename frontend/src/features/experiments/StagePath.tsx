import { useTranslation } from 'react-i18next';
import { experimentStages } from '../../domain/stages';
import { CheckIcon } from '../../ui/icons';
import classes from './StagePath.module.css';

export interface StagePathProps {
  /** 0 to 6. */
  stage: number;
}

/** The seven stages of an experiment: past ones with a tick and a solid line, later ones with a dashed line. */
export function StagePath({ stage }: StagePathProps) {
  const { t } = useTranslation();
  return (
    <ol aria-label={t('experiments.path')} className={classes.root}>
      {experimentStages.map((name, step) => {
        const state = step < stage ? 'done' : step === stage ? 'now' : 'ahead';
        return (
          <li
            key={name}
            aria-current={state === 'now' ? 'step' : undefined}
            className={`${classes.step} ${classes[state]}`}
          >
            <span className={classes.disc} aria-hidden="true">
              {state === 'done' && <CheckIcon size={16} />}
            </span>
            <span className={classes.name}>
              {state !== 'ahead' && (
                <span className="tk-visually-hidden">
                  {state === 'done' ? t('experiments.done') : t('experiments.now')}{' '}
                </span>
              )}
              {t(`experimentStage.${name}`)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
