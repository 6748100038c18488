import { isApiError } from '../../../api/apiError';
import { useExperimentPreviewsQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from '../../../ui/table/Table.module.css';
import { TableFoot } from '../../../ui/table/TableFoot';
import { pageRows, questionOf, type Column, type TableState } from './state';
import { NoRows, Row, Table } from './Table';

export interface PagesProps {
  state: TableState;
  onSort: (column: Column) => void;
  onPage: (page: number) => void;
}

/** The table ten rows at a time. */
export function Pages({ state, onSort, onPage }: PagesProps) {
  const errorText = useErrorText();
  const language = useLanguage();
  const { data, currentData, error, refetch, isFetching } = useExperimentPreviewsQuery({
    language,
    ...questionOf(state),
    limit: pageRows,
    offset: (state.page - 1) * pageRows,
  });
  // The rows before stay, dimmed, until the next ones have come.
  const shown = currentData ?? (error ? undefined : data);
  if (!shown && error)
    return (
      <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'ExperimentTable')}</ErrorState>
    );
  if (!shown) return <LinesSkeleton lines={10} />;
  const { previews, total } = shown;
  return (
    <div aria-busy={isFetching} className={isFetching ? classes.waiting : undefined}>
      <Table state={state} onSort={onSort}>
        {previews.map((experiment) => (
          <Row key={experiment.experiment_id} experiment={experiment} />
        ))}
      </Table>
      {previews.length === 0 && <NoRows state={state} />}
      <TableFoot page={state.page} size={pageRows} shown={previews.length} total={total} onPage={onPage} />
    </div>
  );
}
