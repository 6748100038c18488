import { useTranslation } from 'react-i18next';
import { useViewTransitionState } from 'react-router-dom';
import type { ExperimentPreview } from '../../api/content';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { experimentStageName } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { CardTitle } from '../../ui/CardTitle';
import { isMotionReduced } from '../../ui/motion';
import { Picture } from '../../ui/Picture';
import { StageDots } from '../../ui/StageDots';
import classes from './ExperimentCard.module.css';

export interface ExperimentCardProps {
  experiment: ExperimentPreview;
  /** Near the top of the page: its picture is loaded eagerly. */
  isFirst?: boolean;
}

/** An experiment in the list. Its picture is wider than a campaign's, to tell the two apart. */
export function ExperimentCard({ experiment, isFirst }: ExperimentCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id, slug, title, stage, owner_name, place } = experiment;
  const to = paths.experiment(language, { id: experiment_id, slug, title });
  const lang = foreignLang(experiment.language, language);
  const isOpening = useViewTransitionState(to);
  const stageName = experimentStageName(stage);
  return (
    <li className={classes.root}>
      <Picture
        name={experiment.image}
        alt=""
        ratio={2.5}
        widths={[400, 800]}
        sizes="(min-width: 68.75em) 24rem, (min-width: 40em) 46vw, calc(100vw - 2.5rem)"
        isFirst={isFirst}
        style={isOpening ? { viewTransitionName: 'tk-cover' } : undefined}
      />
      <p className={classes.stage}>
        <StageDots stage={stage} />
        {stageName && <span>{t(`experimentStage.${stageName}`)}</span>}
      </p>
      <CardTitle to={to} level={2} lang={lang} viewTransition={!isMotionReduced()} className={classes.title}>
        {title}
      </CardTitle>
      <p className={classes.text} lang={lang}>
        {experiment.short_description}
      </p>
      <p className={classes.owner}>{[owner_name, place].filter(Boolean).join(' · ')}</p>
    </li>
  );
}
