import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useExperimentPreviewsQuery, type ExperimentPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { experimentStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Picture } from '../../../ui/Picture';
import classes from './MyCampaignsPage.module.css';

// The API's maximum page size.
const limit = 100;

/** The experiments in whose teams the signed-in person is, also those that nobody else sees yet. Empty without any. */
export function MyExperiments({ userId }: { userId: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useExperimentPreviewsQuery({ language, teamMemberId: userId, sort: 'id', limit });
  if (!data || data.previews.length === 0) return null;
  return (
    <section aria-label={t('mine.experiments.title')} className={classes.group}>
      <h2 className={classes.groupTitle}>
        {t('mine.experiments.title')} <span>{data.previews.length}</span>
      </h2>
      <ul className={classes.rows}>
        {data.previews.map((experiment) => (
          <Row key={experiment.experiment_id} experiment={experiment} />
        ))}
      </ul>
    </section>
  );
}

function Row({ experiment }: { experiment: ExperimentPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id: id, slug, title, show_in: shown } = experiment;
  const stage = experimentStageName(experiment.stage);
  const lang = foreignLang(experiment.language, language);
  return (
    <li className={classes.row}>
      <Picture
        name={experiment.image}
        alt=""
        ratio={1.6}
        widths={[132, 264, 400]}
        sizes="8.25rem"
        shape="thumb"
      />
      <div>
        {stage && <Chip tone="spruce">{t(`experimentStage.${stage}`)}</Chip>}
        <h3 className={classes.title} lang={lang}>
          <Link to={paths.experiment(language, { id, slug, title })}>{title}</Link>
        </h3>
      </div>
      <div className={classes.standing} lang={lang}>
        <p>{shown.index ? experiment.short_description : <Chip>{t('mine.experiments.notShown')}</Chip>}</p>
      </div>
      <div className={classes.act}>
        <Button component={Link} variant="outline" to={paths.editExperiment(language, { id, slug, title })}>
          {t('mine.acts.write')}
          <span className="tk-visually-hidden">{t('mine.of', { title })}</span>
        </Button>
      </div>
    </li>
  );
}
