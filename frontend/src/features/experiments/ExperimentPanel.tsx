import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Experiment } from '../../api/content';
import { paths } from '../../domain/paths';
import { experimentStageName, takesPledges } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { formatMoney, formatPercent } from '../../i18n/format';
import { experimentPercent } from '../../domain/progress';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Money } from '../../ui/Money';
import classes from './ExperimentPanel.module.css';
import { FundingBar } from '../../ui/experiments/FundingBar';
import { LikeExperiment } from './LikeExperiment';

export interface ExperimentPanelProps {
  experiment: Experiment;
}

/** An experiment's stage, where its money comes from, and likes. */
export function ExperimentPanel({ experiment }: ExperimentPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { stage, funding } = experiment;
  const { goal = 0, raised = 0, currency } = funding ?? {};
  const stageName = experimentStageName(stage);
  const crowd = funding?.sources.crowd;
  return (
    <section aria-label={t('experiments.funding')} className={classes.root}>
      {stageName && <Chip tone="spruce">{t(`experimentStage.${stageName}`)}</Chip>}
      {funding && (
        <div className={classes.money}>
          <p>
            <Money amount={raised} currency={currency} />
          </p>
          {goal > 0 && (
            <p className={classes.of}>
              {t('experiments.of', {
                goal: formatMoney(language, goal, { cents: false, currency }),
                percent: formatPercent(language, experimentPercent(raised, goal)),
              })}
            </p>
          )}
          <FundingBar funding={funding} />
          {funding.sources.organizations.list.length > 0 && (
            <ul className={classes.givers} aria-label={t('experiments.givers')}>
              {funding.sources.organizations.list.map(({ name, raised: given }, place) => (
                <li key={place}>
                  <span>{name}</span>
                  <strong>{formatMoney(language, given, { cents: false, currency })}</strong>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div className={classes.acts}>
        {crowd?.campaign_id !== undefined && crowd.campaign && (
          <Button
            component={Link}
            to={paths.campaign(language, { ...crowd.campaign, id: crowd.campaign_id })}
            size="lg"
            fullWidth
            variant={takesPledges(crowd.campaign) ? 'filled' : 'light'}
          >
            {takesPledges(crowd.campaign) ? t('experiments.fund') : crowd.campaign.title}
          </Button>
        )}
        <LikeExperiment experiment={experiment} />
      </div>
    </section>
  );
}
