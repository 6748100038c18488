import { useEffect, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { hitsOf, searchApi, useSearchPagesInfiniteQuery, type SearchAnswer } from '../../../api/search';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { MoreButton } from '../../../ui/MoreButton';
import { keepFocus, type PageLoaderArgs } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import { CardsSkeleton } from '../../../ui/Skeletons';
import { ToggleButton } from '../../../ui/ToggleButton';
import { useIsOnline } from '../../../ui/useIsOnline';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { ErrorState } from '../../../ui/ErrorState';
import { IconButton } from '../../../ui/IconButton';
import { ArrowLeftIcon } from '../../../ui/icons';
import { useIsPhone } from '../../../ui/useIsPhone';
import grid from '../grid.module.css';
import { Hits } from './Hits';
import { NothingFound } from './NothingFound';
import { readSearch, searchArg, writeSearch, type SearchParams } from './params';
import { PlaceSelect } from './PlaceSelect';
import { keepTyping, keptTyping, rememberSearch } from './recent';
import { RecentSearches } from './RecentSearches';
import classes from './SearchPage.module.css';
import Suggestions from './Suggestions';

/** Waits for the hits, so that the page is not shown empty. */
export async function load({ request, language, dispatch }: PageLoaderArgs) {
  const search = readSearch(new URL(request.url).searchParams);
  if (search.q === '') return;
  await dispatch(searchApi.endpoints.searchPages.initiate(searchArg(language, search), { subscribe: false }));
}

/** The search over campaigns, their creators and experiments. All of its state is in the address. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const location = useLocation();
  const search = readSearch(new URLSearchParams(location.search));
  // Opened from the header of a phone, an empty search lies over the page that it was opened on, and closing leads back to it.
  const isPhone = useIsPhone();
  const isOver =
    isPhone && search.q === '' && (location.state as Partial<typeof keepFocus> | null)?.keepFocus === true;
  const [begun, setBegun] = useState(keptTyping);
  const apply = (next: SearchParams, isWithin = true) =>
    void navigate(paths.search(language, writeSearch(next)), {
      state: isWithin ? keepFocus : undefined,
      preventScrollReset: isWithin,
    });
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(search.q === '' && begun ? begun : undefined);
  const { currentData } = useSearchPagesInfiniteQuery(searchArg(language, search), { skip: search.q === '' });
  const answer = currentData?.pages[0];
  usePageTitle(search.q === '' ? t('search.title') : t('search.titleOf', { q: search.q }));

  useEffect(() => {
    if (search.q === '') field.current?.focus();
    else rememberSearch(search.q);
  }, [search.q]);

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- a key for all that is in it
    <div
      className={`tk-container ${classes.root} ${isOver ? classes.over : ''}`}
      onKeyDown={(event) => {
        if (!isOver || event.key !== 'Escape') return;
        event.preventDefault(); // what was typed stays
        void navigate(-1);
      }}
    >
      {search.q === '' && (
        <h1 className={isOver ? 'tk-visually-hidden' : classes.title}>{t('search.title')}</h1>
      )}
      <div className={classes.tools}>
        {isOver && (
          <IconButton
            label={t('search.close')}
            onClick={() => void navigate(-1)}
            icon={<ArrowLeftIcon />}
            className={classes.back}
          />
        )}
        <div className={classes.field}>
          <SearchField
            look="large"
            name="q"
            action={paths.search(language)}
            input={field}
            keyword={search.q || begun}
            onType={(text) => {
              setTyped(text);
              keepTyping(text);
            }}
            onSearch={(q) => {
              setTyped(undefined);
              keepTyping('');
              setBegun('');
              apply({ ...search, q, group: undefined, exact: false });
            }}
          />
          {typed !== undefined && (
            <Suggestions field={field} typed={typed} onDone={() => setTyped(undefined)} />
          )}
        </div>
        {answer && (answer.places.length > 0 || search.place) && (
          <PlaceSelect
            place={search.place}
            places={answer.places}
            onChange={(place) => apply({ ...search, place, group: undefined })}
          />
        )}
      </div>
      {search.q === '' ? <RecentSearches /> : <Found search={search} onChange={apply} />}
    </div>
  );
}

interface FoundProps {
  search: SearchParams;
  onChange: (search: SearchParams) => void;
}

function Found({ search, onChange }: FoundProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isOnline = useIsOnline();
  const { currentData, isError, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } =
    useSearchPagesInfiniteQuery(searchArg(language, search));
  usePolling(isError && isOnline, () => void refetch());
  const answer = currentData?.pages[0];
  if (!answer) {
    return isError ? (
      <div className={classes.state}>
        <ErrorState title={t('search.failed')} onRetry={() => void refetch()}>
          {t('search.failedText')}
        </ErrorState>
      </div>
    ) : (
      <CardsSkeleton count={3} className={`${grid.cards} ${classes.state}`} />
    );
  }
  const groups = answer.groups.map((group) => ({
    ...group,
    ...joined(group.name, currentData.pages),
  }));
  const shown = groups.filter((group) => !search.group || group.name === search.group);
  const only = search.group ? shown[0] : undefined;
  return (
    <>
      <h1 className={classes.result}>{title(answer)}</h1>
      <Notes search={search} answer={answer} onChange={onChange} />
      {answer.total === 0 ? (
        <NothingFound answer={answer} />
      ) : (
        <>
          <ul aria-label={t('search.shown')} className={classes.chips}>
            <li>
              <ToggleButton
                look="chip"
                isPressed={!search.group}
                count={answer.total}
                onPress={() => onChange({ ...search, group: undefined })}
              >
                {t('search.all')}
              </ToggleButton>
            </li>
            {answer.groups.map(({ name, total }) => (
              <li key={name}>
                <ToggleButton
                  look="chip"
                  isPressed={search.group === name}
                  count={total}
                  onPress={() => onChange({ ...search, group: name })}
                >
                  {t(`search.groups.${name}`)}
                </ToggleButton>
              </li>
            ))}
          </ul>
          <Hits groups={shown} marks={answer.marks} onAll={(group) => onChange({ ...search, group })} />
          {only && hasNextPage && (
            <MoreButton
              shown={hitsOf(only).length}
              total={only.total}
              isMore={only.total_is_more ?? false}
              isLoading={isFetchingNextPage}
              onMore={() => void fetchNextPage()}
            />
          )}
        </>
      )}
    </>
  );

  function title({ total, total_is_more, searched }: SearchAnswer): string {
    if (total === 0) return t('search.none', { word: searched });
    return total_is_more
      ? t('search.resultOver', { count: total, word: searched })
      : t('search.result', { count: total, word: searched });
  }
}

/** The hits of a group on all pages. */
function joined(name: string, pages: readonly SearchAnswer[]) {
  const all = pages.flatMap(({ groups }) => groups.filter((group) => group.name === name));
  const of = <Hit,>(hits: (Hit[] | undefined)[]) =>
    hits.some(Boolean) ? hits.flatMap((list) => list ?? []) : undefined;
  return {
    campaigns: of(all.map(({ campaigns }) => campaigns)),
    creators: of(all.map(({ creators }) => creators)),
    experiments: of(all.map(({ experiments }) => experiments)),
  };
}

interface NotesProps extends FoundProps {
  answer: SearchAnswer;
}

/** What was searched instead of what was typed, and what the place leaves out. */
function Notes({ search, answer }: NotesProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const to = (next: SearchParams) => paths.search(language, writeSearch(next));
  return (
    <>
      {answer.is_corrected && (
        <p className={classes.note}>
          <Trans
            i18nKey="search.corrected"
            values={{ typed: search.q, word: answer.searched }}
            components={{ b: <b /> }}
          />{' '}
          <Link to={to({ ...search, exact: true })}>{t('search.exactly', { typed: search.q })}</Link>
        </p>
      )}
      {search.place && (
        <p className={classes.note}>
          {(answer.elsewhere ?? 0) > 0 && t('search.elsewhere', { count: answer.elsewhere })}{' '}
          <Link to={to({ ...search, place: undefined })}>{t('search.showAnywhere')}</Link>
        </p>
      )}
    </>
  );
}
