import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StageDates } from '../../api/content';
import { readNow } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';
import { experimentStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatPastDay } from '../../i18n/format';
import { CheckIcon } from '../icons';
import classes from './StagePath.module.css';

export interface StagePathProps {
  /** 0 to 6. */
  stage: number;
  /** When it came to each, as far as that is known. */
  dates?: StageDates;
  /** The next stage is being offered: its ring says so. */
  isMoving?: boolean;
  /** upright: on every width, for a narrow place. */
  look?: 'upright';
}

/** The seven stages of an experiment: past ones with a tick and a solid line, later ones with a dashed line. */
export function StagePath({ stage, dates = [], isMoving, look }: StagePathProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [now] = useState(() => dispatch(readNow()));
  return (
    <ol aria-label={t('experiments.path')} className={`${classes.root} ${look ? '' : classes.lying}`}>
      {experimentStages.map((name, step) => {
        const state = step < stage ? 'done' : step === stage ? 'now' : 'ahead';
        const since = dates.find((date) => date.stage === step)?.since;
        const day = since && formatPastDay(language, since, now);
        return (
          <li
            key={name}
            aria-current={state === 'now' ? 'step' : undefined}
            className={`${classes.step} ${classes[state]} ${isMoving && step === stage + 1 ? classes.next : ''}`}
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
              <span>{t(`experimentStage.${name}`)}</span>
              {day && state !== 'ahead' && (
                <span className={classes.day}>{state === 'now' ? t('experiments.since', { day }) : day}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
