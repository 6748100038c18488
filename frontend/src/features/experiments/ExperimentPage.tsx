import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { content, useExperimentQuery, type Experiment } from '../../api/content';
import { useErrorText } from '../../i18n/errorText';
import { foreignLang } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import { ErrorState } from '../../ui/ErrorState';
import { MailIcon, MapPinIcon, WorldIcon } from '../../ui/icons';
import { idParam, notFound, type PageLoaderArgs } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { LinesSkeleton } from '../../ui/Skeletons';
import { Story } from '../../ui/Story';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './ExperimentPage.module.css';
import { ExperimentPanel } from './ExperimentPanel';
import { StagePath } from './StagePath';

export async function load({ params, language, dispatch }: PageLoaderArgs) {
  const experimentId = idParam(params.experimentId);
  const { error } = await dispatch(
    content.endpoints.experiment.initiate({ experimentId, language }, { subscribe: false }),
  );
  if (isApiError(error) && error.http === 404) throw notFound();
}

export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const experimentId = idParam(useParams().experimentId);
  const { data, error, refetch } = useExperimentQuery({ experimentId, language });
  usePageTitle(data?.experiment.title);

  if (data) return <ExperimentView experiment={data.experiment} />;
  return (
    <div className="tk-container tk-section">
      {error ? (
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
function ExperimentView({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { experiment_id, owner_name, title, place, links, tags } = experiment;
  const lang = foreignLang(experiment.language, language);

  return (
    <article>
      <Picture
        name={experiment.image}
        alt=""
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
        <div className={classes.side}>
          <ExperimentPanel experiment={experiment} />
        </div>
        <div className={classes.path}>
          <StagePath stage={experiment.stage} />
        </div>
        <div className={classes.story}>
          <Story html={experiment.html_description} title={experiment.title} lang={lang} />
        </div>
        <div className={classes.facts}>
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
          {links.length > 0 && (
            <section aria-labelledby="links">
              <h2 id="links" className={classes.small}>
                {t('experiments.links')}
              </h2>
              <ul className={classes.links}>
                {links.map(({ url, title: name }) => (
                  <li key={url} className={classes.fact}>
                    {url.startsWith('mailto:') ? <MailIcon /> : <WorldIcon />}
                    <a href={safeAddress(url)} rel="nofollow noopener" className={classes.link}>
                      {name || url}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          )}
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
    </article>
  );
}

/** Allows web and mail addresses only; anything else is shown without a link. */
function safeAddress(url: string): string | undefined {
  return /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined;
}
