import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { people, usePeopleListInfiniteQuery, useUserTagsQuery } from '../../api/people';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { keepFocus, type PageLoaderArgs } from '../../ui/page';
import { SearchField } from '../../ui/SearchField';
import { SelectBox } from '../../ui/SelectBox';
import { LinesSkeleton } from '../../ui/Skeletons';
import { ToggleButton } from '../../ui/ToggleButton';
import { usePageTitle } from '../../ui/usePageTitle';
import { listArg, readFilters, type Filters } from './filters';
import classes from './PeoplePage.module.css';
import { Person } from './Person';

/** Waits for the topics, which are above the list and would move it. */
export async function load({ request, language, dispatch }: PageLoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  void dispatch(people.endpoints.peopleList.initiate(listArg(language, filters), { subscribe: false }));
  await dispatch(people.endpoints.userTags.initiate({ language }, { subscribe: false }));
}

/** The people who have introduced themselves. */
export function Component() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const filters = readFilters(new URLSearchParams(useLocation().search));
  const isFiltered = filters.keyword !== '' || filters.tag !== undefined;
  usePageTitle(t('people.title'));
  const { currentData, error, isFetching, isFetchingNextPage, isFetchNextPageError, refetch, fetchNextPage } =
    usePeopleListInfiniteQuery(listArg(language, filters));
  const found = currentData?.pages.flatMap(({ previews }) => previews) ?? [];
  const { total = 0, total_is_more: isMore = false } = currentData?.pages.at(-1) ?? {};
  const apply = (next: Filters) =>
    void navigate(paths.profiles(language, { ...next }), { state: keepFocus, preventScrollReset: true });

  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.top}>
        <div>
          <h1>{t('people.title')}</h1>
          <p className={`tk-lead ${classes.lead}`}>{t('people.lead')}</p>
        </div>
        <SearchField
          look="box"
          label={t('people.search')}
          keyword={filters.keyword}
          onSearch={(keyword) => apply({ ...filters, keyword })}
        />
      </div>
      <Topics filters={filters} onChange={apply} />
      <div className={classes.line}>
        <p role="status" className={classes.result}>
          {currentData &&
            (isMore ? t('people.foundOver', { count: total }) : t('people.found', { count: total }))}
        </p>
        <SelectBox<'newest'>
          label={t('people.sort')}
          value={filters.sort ?? ''}
          choices={[
            { value: '', label: t('people.byName') },
            { value: 'newest', label: t('people.newest') },
          ]}
          onChange={(sort) => apply({ ...filters, sort: sort || undefined })}
        />
      </div>
      {!currentData && error && !isFetching && (
        <ErrorState title={t('people.failed')} onRetry={refetch}>
          {isApiError(error) && errorText(error, 'PeoplePage')}
        </ErrorState>
      )}
      {!currentData && isFetching && <LinesSkeleton lines={12} />}
      {currentData && found.length === 0 && (
        <EmptyState
          title={isFiltered ? t('people.none') : undefined}
          action={
            isFiltered && (
              <Button variant="light" onClick={() => apply({ keyword: '' })}>
                {t('people.clear')}
              </Button>
            )
          }
        >
          {isFiltered && t('people.noneText')}
        </EmptyState>
      )}
      {found.length > 0 && (
        <ul className={classes.people}>
          {found.map((person, place) => (
            <Person key={person.user_id} person={person} isFirst={place === 0} />
          ))}
        </ul>
      )}
      {isFetchNextPageError && <ErrorState title={t('people.failed')} onRetry={() => fetchNextPage()} />}
      {found.length > 0 && total > found.length && !isFetchNextPageError && (
        <div className={classes.more}>
          <span role="status">
            {t(isMore ? 'people.shownOver' : 'people.shown', { shown: found.length, total })}
          </span>
          <Button variant="outline" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('people.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface TopicsProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** The common topics, one of which may be chosen. Without them, for whatever reason, people are found by searching. */
function Topics({ filters, onChange }: TopicsProps) {
  const { t } = useTranslation();
  const { data } = useUserTagsQuery({ language: useLanguage() });
  if (!data?.tags.length) return null;
  return (
    <ul aria-label={t('people.tags')} className={classes.tags}>
      <li>
        <ToggleButton
          look="chip"
          isPressed={filters.tag === undefined}
          onPress={() => onChange({ ...filters, tag: undefined })}
        >
          {t('people.everyone')}
        </ToggleButton>
      </li>
      {data.tags.map(({ id, label }) => (
        <li key={id}>
          <ToggleButton
            look="chip"
            isPressed={filters.tag === id}
            onPress={() => onChange({ ...filters, tag: filters.tag === id ? undefined : id })}
          >
            {label}
          </ToggleButton>
        </li>
      ))}
    </ul>
  );
}
