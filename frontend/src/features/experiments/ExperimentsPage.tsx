import { Button } from '../../ui/Button';
import { useTranslation } from 'react-i18next';
import { useLocation, Link } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { lists, useExperimentListInfiniteQuery } from '../../api/lists';
import { useErrorText } from '../../i18n/errorText';
import { paths, query } from '../../domain/paths';
import { byStageThenId, experimentStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { keepFocus, type PageLoaderArgs } from '../../ui/page';
import { CardsSkeleton } from '../../ui/Skeletons';
import { usePageTitle } from '../../ui/usePageTitle';
import { ExperimentCard } from './ExperimentCard';
import classes from './ExperimentsPage.module.css';

/** The stage in the address. Invalid values are ignored. */
function stageOf(search: string): number | undefined {
  const stage = new URLSearchParams(search).get('stage');
  return stage && /^\d$/.test(stage) && Number(stage) < experimentStages.length ? Number(stage) : undefined;
}

export function load({ request, language, dispatch }: PageLoaderArgs) {
  const stage = stageOf(new URL(request.url).search);
  void dispatch(lists.endpoints.experimentList.initiate({ language, stage }, { subscribe: false }));
}

/** The list of experiments, sorted by stage, with the stage filter in the address. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  usePageTitle(t('experiments.title'));
  const stage = stageOf(useLocation().search);
  const list = useExperimentListInfiniteQuery({ language, stage });
  const { currentData, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  const experiments = byStageThenId(currentData?.pages.flatMap(({ previews }) => previews) ?? []);
  const total = currentData?.pages.at(-1)?.total ?? 0;
  const choices = [undefined, ...experimentStages.keys()];

  return (
    <div className={`tk-container ${classes.root}`}>
      <h1>{t('experiments.title')}</h1>
      <p className={`tk-lead ${classes.lead}`}>{t('experiments.lead')}</p>
      <nav aria-label={t('experiments.stages')}>
        <ul className={classes.chips}>
          {choices.map((choice) => (
            <li key={choice ?? 'all'}>
              <Link
                to={`${paths.experiments(language)}${query({ stage: choice })}`}
                state={keepFocus}
                preventScrollReset
                aria-current={choice === stage ? 'true' : undefined}
                className={classes.chip}
              >
                {choice === undefined
                  ? t('experiments.allStages')
                  : t(`experimentStage.${experimentStages[choice] ?? 'idea'}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <p role="status" className={classes.result}>
        {currentData ? t('experiments.result', { count: total }) : ''}
      </p>
      {!currentData && isFetching && <CardsSkeleton count={6} className={classes.list} />}
      {!currentData && !isFetching && error && (
        <ErrorState title={t('experiments.failed')} onRetry={refetch}>
          {isApiError(error) && errorText(error, 'ExperimentsPage')}
        </ErrorState>
      )}
      {currentData && experiments.length === 0 && <EmptyState>{t('experiments.none')}</EmptyState>}
      <ul className={classes.list}>
        {experiments.map((experiment, place) => (
          <ExperimentCard key={experiment.experiment_id} experiment={experiment} isFirst={place === 0} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="outline"
          loading={isFetchingNextPage}
          className={classes.more}
          onClick={() => void fetchNextPage()}
        >
          {t('campaign.more')}
        </Button>
      )}
      {list.isFetchNextPageError && (
        <ErrorState title={t('experiments.failed')} onRetry={() => void fetchNextPage()} />
      )}
    </div>
  );
}
