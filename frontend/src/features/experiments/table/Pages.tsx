import { useExperimentPreviewsQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import classes from '../../../ui/table/Table.module.css';
import { TableFoot } from '../../../ui/table/TableFoot';
import { Unread } from '../../../ui/Unread';
import { pageRows, questionOf, type Column, type TableState } from './state';
import { NoRows, Row, Table } from './Table';

export interface PagesProps {
  state: TableState;
  onSort: (column: Column) => void;
  onPage: (page: number) => void;
}

/** The table ten rows at a time. */
export function Pages({ state, onSort, onPage }: PagesProps) {
  const language = useLanguage();
  const call = useExperimentPreviewsQuery({
    language,
    ...questionOf(state),
    limit: pageRows,
    offset: (state.page - 1) * pageRows,
  });
  const { data, currentData, error, isFetching } = call;
  // The rows before stay, dimmed, until the next ones have come.
  const shown = currentData ?? (error ? undefined : data);
  if (!shown) return <Unread of={call} where="ExperimentTable" lines={10} />;
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
