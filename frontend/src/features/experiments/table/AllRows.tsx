import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useExperimentTableInfiniteQuery } from '../../../api/experimentTable';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from '../../../ui/table/Table.module.css';
import { questionOf, type Column, type TableState } from './state';
import { Row, Table } from './Table';
import { rowHeight, useSeenRows } from './useSeenRows';

export interface AllRowsProps {
  state: TableState;
  onSort: (column: Column) => void;
}

/**
 * The whole table: fetched in parts one after the other, while only the rows near the window are in the page, so that
 * twenty thousand are as quick as ten.
 */
export function AllRows({ state, onSort }: AllRowsProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const list = useExperimentTableInfiniteQuery({ language, ...questionOf(state) });
  const { currentData, error, isFetching, hasNextPage, fetchNextPage, refetch } = list;
  const experiments = currentData?.pages.flatMap(({ previews }) => previews) ?? [];
  const total = currentData?.pages.at(-1)?.total ?? 0;
  const isHeld = list.isFetchNextPageError;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isHeld) void fetchNextPage();
    // A part that came at once leaves isFetching as it was; the number of rows tells.
  }, [experiments.length, hasNextPage, isFetching, isHeld, fetchNextPage]);
  const { ref, first, end } = useSeenRows(experiments.length);

  if (!currentData && error)
    return (
      <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'ExperimentTable')}</ErrorState>
    );
  if (!currentData) return <LinesSkeleton lines={10} />;
  return (
    <>
      <div ref={ref} data-many>
        <Table state={state} onSort={onSort}>
          <Space rows={first} />
          {experiments.slice(first, end).map((experiment) => (
            <Row key={experiment.experiment_id} experiment={experiment} />
          ))}
          <Space rows={experiments.length - end} />
        </Table>
      </div>
      {experiments.length === 0 && <EmptyState>{t('experimentTable.none')}</EmptyState>}
      {isHeld && <ErrorState onRetry={() => void fetchNextPage()} />}
      <div className={classes.foot}>
        <p role="status">
          {t('table.fromTo', {
            from: Math.min(1, experiments.length),
            to: experiments.length,
            total,
          })}
        </p>
        <p>{t('table.pageOf', { page: 1, last: 1 })}</p>
      </div>
    </>
  );
}

/** The room of rows that are not in the page. */
function Space({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={6} style={{ height: rows * rowHeight, padding: 0 }} />
    </tr>
  );
}
