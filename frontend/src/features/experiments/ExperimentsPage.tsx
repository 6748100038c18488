import { Button } from '../../ui/Button';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate, Link } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { lists, useExperimentListInfiniteQuery } from '../../api/lists';
import { selectUser } from '../../api/session';
import { mayAdminister } from '../../domain/access';
import { useErrorText } from '../../i18n/errorText';
import { paths, query } from '../../domain/paths';
import { byStageThenId } from '../../domain/stageOrder';
import { experimentStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { keepFocus, type PageLoaderArgs } from '../../ui/page';
import { SearchField } from '../../ui/SearchField';
import { SelectBox } from '../../ui/SelectBox';
import { CardsSkeleton } from '../../ui/Skeletons';
import { usePageTitle } from '../../ui/usePageTitle';
import { ExperimentCard } from './ExperimentCard';
import classes from './ExperimentsPage.module.css';

const sorts = ['likes', 'alphabetical', 'id'] as const;
type Sort = (typeof sorts)[number];

interface Filters {
  stage?: number;
  keyword?: string;
  /** By stage without it. */
  sort?: Sort;
}

/** The filters in the address. Invalid values are ignored. */
function filtersOf(search: string): Filters {
  const params = new URLSearchParams(search);
  const stage = params.get('stage');
  const filters: Filters = {};
  if (stage && /^\d$/.test(stage) && Number(stage) < experimentStages.length) filters.stage = Number(stage);
  const keyword = params.get('keyword')?.trim().slice(0, 100);
  if (keyword) filters.keyword = keyword;
  const sort = sorts.find((one) => one === params.get('sort'));
  if (sort) filters.sort = sort;
  return filters;
}

/** Starts loading the list; the page has skeletons meanwhile. */
export function load({ request, language, dispatch }: PageLoaderArgs) {
  const filters = filtersOf(new URL(request.url).search);
  void dispatch(lists.endpoints.experimentList.initiate({ language, ...filters }, { subscribe: false }));
}

/** The list of experiments, with its search, order and stage in the address. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  usePageTitle(t('experiments.title'));
  const navigate = useNavigate();
  const isAdmin = mayAdminister(useSelector(selectUser)?.scope ?? []);
  const filters = filtersOf(useLocation().search);
  const { stage, keyword, sort } = filters;
  const list = useExperimentListInfiniteQuery({ language, ...filters });
  const { currentData, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  const found = currentData?.pages.flatMap(({ previews }) => previews) ?? [];
  const experiments = sort ? found : byStageThenId(found);
  const total = currentData?.pages.at(-1)?.total ?? 0;
  const choices = [undefined, ...experimentStages.keys()];
  const addressOf = (next: Filters) => `${paths.experiments(language)}${query({ ...next })}`;
  const apply = (next: Filters) =>
    void navigate(addressOf(next), { state: keepFocus, preventScrollReset: true });

  return (
    <div className={`tk-container ${classes.root}`}>
      <h1>{t('experiments.title')}</h1>
      <p className={`tk-lead ${classes.lead}`}>{t('experiments.lead')}</p>
      <div className={classes.tools}>
        <SearchField
          look="box"
          label={t('experiments.search')}
          keyword={keyword}
          onSearch={(words) => apply({ ...filters, keyword: words })}
        />
        <SelectBox
          label={t('experiments.sort')}
          value={sort ?? ''}
          choices={[
            { value: '', label: t('experiments.sorts.stage') },
            ...sorts.map((value) => ({ value, label: t(`experiments.sorts.${value}`) })),
          ]}
          onChange={(value) => apply({ ...filters, sort: value || undefined })}
        />
        <Button component={Link} to={paths.createExperiment(language)} variant="light">
          {t('experiments.propose')}
        </Button>
        {isAdmin && (
          <Button component={Link} to={paths.admin(language, 'experiments')} variant="outline">
            {t('experiments.table')}
          </Button>
        )}
      </div>
      <nav aria-label={t('experiments.stages')}>
        <ul className={classes.chips}>
          {choices.map((choice) => (
            <li key={choice ?? 'all'}>
              <Link
                to={addressOf({ ...filters, stage: choice })}
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
      {currentData && experiments.length === 0 && (
        <EmptyState>{t(keyword ? 'experiments.noneFound' : 'experiments.none')}</EmptyState>
      )}
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
