import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { content } from '../../../api/content';
import { lists, useCampaignListInfiniteQuery } from '../../../api/lists';
import { useErrorText } from '../../../i18n/errorText';
import { selectIsSignedIn } from '../../../api/session';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { keepFocus, type PageLoaderArgs } from '../../../ui/page';
import { CardsSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { CampaignCard } from '../CampaignCard';
import grid from '../grid.module.css';
import { MoreButton } from '../../../ui/MoreButton';
import { useNearEnd } from '../../../ui/useNearEnd';
import classes from './CampaignsPage.module.css';
import { FilterBar } from './FilterBar';
import {
  isFiltered,
  listArg,
  noFilters,
  offeredCategories,
  offeredTags,
  readFilters,
  writeFilters,
  type ChangeFilters,
  type Filters,
} from './filters';

/** Waits for the filters, which are above the list and would move it; the list has skeletons meanwhile. */
export async function load({ request, language, dispatch }: PageLoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  const { categories, campaignTags } = content.endpoints;
  const hasTags = filters.tags.length + filters.excludedTags.length > 0;
  void dispatch(lists.endpoints.campaignList.initiate(listArg(language, filters), { subscribe: false }));
  const offered = offeredCategories(language, filters);
  const tags = hasTags && offeredTags(language, filters);
  await Promise.all([
    offered && dispatch(categories.initiate(offered, { subscribe: false })),
    tags && dispatch(campaignTags.initiate(tags, { subscribe: false })),
  ]);
}

/** The list of campaigns, with its filters in the address. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const isSignedIn = useSelector(selectIsSignedIn);
  const shown = useLocation();
  const { location: coming } = useNavigation();
  const filtersIn = ({ search }: { search: string }): Filters => {
    const asked = readFilters(new URLSearchParams(search));
    // Without a session there are no own campaigns.
    return asked.list === 'mine' && !isSignedIn ? { ...asked, list: 'open' } : asked;
  };
  const filters = filtersIn(shown);
  const title = filters.keyword
    ? t('campaignIndex.titleSearch', { keyword: filters.keyword })
    : t('campaigns.title');
  usePageTitle(title);

  const { currentData, error, isFetching, isFetchingNextPage, isFetchNextPageError, refetch, fetchNextPage } =
    useCampaignListInfiniteQuery(listArg(language, filters));
  const campaigns = currentData?.pages.flatMap(({ previews }) => previews) ?? [];
  const { total = 0, total_is_more: isMore = false } = currentData?.pages.at(-1) ?? {};
  const hasMore = campaigns.length < total && (currentData?.pages.at(-1)?.previews.length ?? 0) > 0;
  const nearEnd = useNearEnd(hasMore && !isFetching && !isFetchNextPageError, fetchNextPage);

  const apply: ChangeFilters = (change) => {
    const now = filtersIn(coming?.pathname === shown.pathname ? coming : shown);
    void navigate(paths.campaigns(language, writeFilters(change(now))), {
      state: keepFocus,
      preventScrollReset: true,
    });
  };

  return (
    <div className={`tk-container ${classes.root}`}>
      <h1>{title}</h1>
      <p className={`tk-lead ${classes.lead}`}>
        {filters.list === 'open' ? t('campaigns.lead') : t(`campaignIndex.leads.${filters.list}`)}
      </p>
      <FilterBar filters={filters} isSignedIn={isSignedIn} onChange={apply} />
      <div className={classes.line}>
        <p role="status" className={classes.result}>
          {currentData && isMore && t('campaignIndex.resultOver', { total: total - 1 })}
          {currentData && !isMore && t('campaigns.result', { count: total })}
        </p>
        {isFiltered(filters) && (
          <Button
            variant="transparent"
            size="sm"
            onClick={() => apply(({ list, sort }) => ({ ...noFilters, list, sort }))}
          >
            {t('campaignIndex.clear')}
          </Button>
        )}
      </div>
      {!currentData && error && !isFetching && (
        <ErrorState title={t('campaignIndex.failed')} onRetry={refetch}>
          {isApiError(error) && errorText(error, 'CampaignsPage')}
        </ErrorState>
      )}
      {!currentData && isFetching && <CardsSkeleton count={6} className={grid.cards} />}
      {currentData && campaigns.length === 0 && (
        <EmptyState
          title={isFiltered(filters) ? t('campaignIndex.none') : undefined}
          action={
            isFiltered(filters) && (
              <Button variant="light" onClick={() => apply(({ list }) => ({ ...noFilters, list }))}>
                {t('campaignIndex.clear')}
              </Button>
            )
          }
        >
          {filters.list === 'mine' ? t('campaignIndex.noneMine') : t('campaignIndex.noneText')}
        </EmptyState>
      )}
      {campaigns.length > 0 && (
        <ul className={grid.cards}>
          {campaigns.map((campaign, place) => (
            <li key={campaign.campaign_id}>
              <CampaignCard campaign={campaign} level={2} isFirst={place === 0} />
            </li>
          ))}
        </ul>
      )}
      {isFetchNextPageError && (
        <ErrorState title={t('campaignIndex.failed')} onRetry={() => fetchNextPage()} />
      )}
      <div ref={nearEnd} />
      {campaigns.length > 0 && total > campaigns.length && !isFetchNextPageError && (
        <MoreButton
          shown={campaigns.length}
          total={total}
          isMore={isMore}
          isLoading={isFetchingNextPage}
          onMore={() => fetchNextPage()}
        />
      )}
    </div>
  );
}
