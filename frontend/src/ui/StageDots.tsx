import { useTranslation } from 'react-i18next';
import { experimentStageName } from '../domain/stages';
import classes from './StageDots.module.css';

export interface StageDotsProps {
  /** The experiment's stage, from 0. The dots are stages 0 to 4; in a later stage all are filled. */
  stage: number;
}

const steps = [0, 1, 2, 3, 4];

/** An experiment's stage as five dots, with the stage's name as text alternative. */
export function StageDots({ stage }: StageDotsProps) {
  const { t } = useTranslation();
  const stageName = experimentStageName(stage);
  const name = stageName ? t(`experimentStage.${stageName}`) : '';
  const label = t('experimentStage.step', { step: stage + 1, steps: 7, name });
  return (
    <span role="img" aria-label={label} className={classes.root}>
      {steps.map((step) => (
        <span
          key={step}
          className={`${classes.dot} ${step < stage ? classes.done : step === stage ? classes.now : ''}`}
        />
      ))}
    </span>
  );
}
