import { useTranslation } from 'react-i18next';
import type { ExperimentPreview, ExperimentPreviewsAnswer } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { experimentStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { CardTitle } from '../../../ui/CardTitle';
import { ErrorState } from '../../../ui/ErrorState';
import { Picture } from '../../../ui/Picture';
import { StageDots } from '../../../ui/StageDots';
import type { ListQuery } from './calls';
import classes from './ExperimentRow.module.css';
import { SectionHead } from './SectionHead';

export interface ExperimentRowProps {
  list: ListQuery<ExperimentPreviewsAnswer>;
}

const places = [0, 1, 2, 3];

/** The section of experiments, with their stages. */
export function ExperimentRow({ list }: ExperimentRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (list.data?.previews.length === 0) return null;
  return (
    <section aria-labelledby="experiments" className="tk-container tk-section">
      <SectionHead id="experiments" title={t('nav.experiments')} to={paths.experiments(language)}>
        {t('home.allExperiments')}
      </SectionHead>
      {list.isError && !list.data && <ErrorState onRetry={list.refetch} />}
      <ul className={classes.list}>
        {list.isLoading &&
          places.map((place) => <li key={place} className={classes.card} aria-hidden="true" />)}
        {list.data?.previews.map((experiment) => (
          <ExperimentTile key={experiment.experiment_id} experiment={experiment} />
        ))}
      </ul>
    </section>
  );
}

function ExperimentTile({ experiment }: { experiment: ExperimentPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id, slug, title, stage, image, short_description, owner_name } = experiment;
  const lang = foreignLang(experiment.language, language);
  const stageName = experimentStageName(stage);
  return (
    <li className={classes.card}>
      <Picture
        name={image}
        alt=""
        ratio={2.5}
        widths={[284, 568, 852]}
        sizes="(min-width: 68.75em) 17.75rem, (min-width: 40em) 45vw, 6.5rem"
        shape="thumb"
        className={classes.scene}
      />
      <div className={classes.words}>
        <StageDots stage={stage} />
        {stageName && <p className={classes.stage}>{t(`experimentStage.${stageName}`)}</p>}
        <CardTitle
          to={paths.experiment(language, { id: experiment_id, slug, title })}
          lang={lang}
          className={classes.title}
        >
          {title}
        </CardTitle>
        <p className={classes.text} lang={lang}>
          {short_description}
        </p>
        <p className={classes.owner}>{owner_name}</p>
      </div>
    </li>
  );
}
