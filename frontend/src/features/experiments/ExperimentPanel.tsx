import { useTranslation } from 'react-i18next';
import type { Experiment } from '../../api/content';
import { experimentStageName } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { progressText } from '../../i18n/progressText';
import { Chip } from '../../ui/Chip';
import { HeartIcon } from '../../ui/icons';
import { Money } from '../../ui/Money';
import { Progress } from '../../ui/Progress';
import classes from './ExperimentPanel.module.css';

export interface ExperimentPanelProps {
  experiment: Experiment;
}

/** An experiment's stage, funding and likes. */
export function ExperimentPanel({ experiment }: ExperimentPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { stage, funding, like_count } = experiment;
  const { goal = 0, raised = 0, currency } = funding ?? {};
  const stageName = experimentStageName(stage);

  return (
    <section aria-label={t('experiments.funding')} className={classes.root}>
      {stageName && <Chip tone="spruce">{t(`experimentStage.${stageName}`)}</Chip>}
      {goal > 0 && (
        <div className={classes.money}>
          <p>
            <Money amount={raised} currency={currency} look="big" />
          </p>
          <p className={classes.of}>
            {t('experiments.of', {
              goal: formatMoney(language, goal, { cents: false, currency }),
              percent: progressText({ reached: raised, goal, currency }, t, language),
            })}
          </p>
          <Progress confirmed={raised} goal={goal} currency={currency} />
        </div>
      )}
      <p className={classes.likes}>
        <HeartIcon size={16} />
        {t('experiments.likes', { count: like_count })}
      </p>
    </section>
  );
}
