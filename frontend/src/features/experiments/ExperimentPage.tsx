import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { content, useExperimentQuery, type Experiment } from '../../api/content';
import { useErrorText } from '../../i18n/errorText';
import { foreignLang } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import { ErrorState } from '../../ui/ErrorState';
import { MapPinIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazyComponent';
import { idParam, type PageLoaderArgs } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { LinesSkeleton } from '../../ui/Skeletons';
import { Story } from '../../ui/Story';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './ExperimentPage.module.css';
import '../../api/experiments';
import { mayEdit, type Rights } from '../../domain/access';
import { EmptyExperiment } from '../../ui/experiments/EmptyExperiment';
import { ExperimentPanel } from './ExperimentPanel';
import { LinkList } from './LinkList';
import { SuggestionsBelow } from '../../ui/suggestions/SuggestionsBelow';
import { StagePath } from '../../ui/experiments/StagePath';
import { TeamList } from './TeamList';

// Only for those who may edit it.
const ExperimentBar = lazyComponent(
  () => import(/* webpackChunkName: "experiment-bar" */ '../../ui/experiments/ExperimentBar'),
);

/** Waits for the experiment, so that one that does not exist shows the not-found page. */
export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const experimentId = idParam(params.experimentId);
  await dispatch(content.endpoints.experiment.initiate({ experimentId, language }, { subscribe: false }));
}

/** The page of an experiment. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const experimentId = idParam(useParams().experimentId);
  const { data, error, isFetching, refetch } = useExperimentQuery({ experimentId, language });
  usePageTitle(data?.experiment.title);

  if (isApiError(error) && error.http === 404) return <EmptyExperiment />;
  if (data) return <ExperimentView experiment={data.experiment} acl={data.acl} />;
  return (
    <div className="tk-container tk-section">
      {error && !isFetching ? (
        <>
          <h1 className="tk-visually-hidden">{t('list.failed')}</h1>
          <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'ExperimentPage')}</ErrorState>
        </>
      ) : (
        <LinesSkeleton lines={12} />
      )}
    </div>
  );
}

/** An experiment: picture, stage, funding and story. */
function ExperimentView({ experiment, acl }: { experiment: Experiment; acl: Rights }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id, owner_name, title, place, links, tags } = experiment;
  const lang = foreignLang(experiment.language, language);

  return (
    <article>
      {mayEdit(acl) && <ExperimentBar experiment={experiment} acl={acl} mode="view" />}
      <Picture
        name={experiment.image}
        alt={experiment.image_alt}
        ratio={4}
        widths={[800, 1440, 1920]}
        sizes="100vw"
        shape="none"
        isFirst
        className={classes.scene}
        style={{ viewTransitionName: 'tk-cover' }}
      />
      <div className={`tk-container ${classes.columns}`}>
        <div className={classes.head}>
          <p className={classes.eyebrow}>
            {t('experiments.eyebrow', { id: experiment_id, owner: owner_name })}
          </p>
          <h1 lang={lang}>{title}</h1>
          <p lang={lang} className={`tk-lead ${classes.lead}`}>
            {experiment.short_description}
          </p>
          {experiment.disabled && <p className={classes.disabled}>{t('experiments.disabled')}</p>}
        </div>
        <div className={classes.right}>
          <div>
            <ExperimentPanel experiment={experiment} />
          </div>
          <div className={classes.facts}>
            <TeamList team={experiment.team} />
            {place && (
              <section aria-labelledby="where">
                <h2 id="where" className={classes.small}>
                  {t('experiments.where')}
                </h2>
                <p className={classes.fact}>
                  <MapPinIcon />
                  {place}
                </p>
              </section>
            )}
            <LinkList links={links} />
            {tags.length > 0 && (
              <ul aria-label={t('experiments.tags')} className={classes.tags}>
                {tags.map(({ id, label }) => (
                  <li key={id} className={classes.tag}>
                    {label}
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
        <div className={classes.path}>
          <StagePath stage={experiment.stage} dates={experiment.stage_dates} />
        </div>
        <div className={classes.story}>
          <Story html={experiment.html_description} title={experiment.title} lang={lang} />
          {(['results', 'adoption'] as const).map((key) => {
            const text = experiment.custom_language[key];
            return (
              text && (
                <section key={key} aria-labelledby={key}>
                  <h2 id={key}>{t(`experiments.${key}`)}</h2>
                  <Story html={text.html} title={t(`experiments.${key}`)} lang={lang} />
                </section>
              )
            );
          })}
        </div>
      </div>
      {!experiment.disabled && <SuggestionsBelow experimentId={experiment_id} />}
    </article>
  );
}
