import { useTranslation } from 'react-i18next';
import { useExperimentPreviewsQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import classes from '../../../ui/table/Table.module.css';
import { Unread } from '../../../ui/Unread';
import { columns, questionOf, type Column, type TableState } from './state';
import { NoRows, Row, Table } from './Table';
import { rowHeight, useSeenRows } from './useSeenRows';

/** How many rows are fetched at once: the most that the API gives. */
const partSize = 300;

export interface AllRowsProps {
  state: TableState;
  onSort: (column: Column) => void;
}

/**
 * The whole table on one page. The first part says how many rows there are; of the others only those near the window are
 * fetched, and only their rows are in the page, so that sorting and searching twenty thousand cost as much as ten.
 */
export function AllRows({ state, onSort }: AllRowsProps) {
  const { t } = useTranslation();
  const begin = usePart(state, 0);
  const total = begin.currentData?.total ?? 0;
  const { ref, first, end } = useSeenRows(total);
  const upper = Math.floor(first / partSize);
  // The rows near the window are in two parts at most: a part is longer than any window.
  const lower = Math.floor(Math.max(first, end - 1) / partSize);
  const parts = [usePart(state, upper), usePart(state, lower)];
  const failed = [begin, ...parts].find(({ currentData, error }) => !currentData && error);
  const places = Array.from({ length: end - first }, (_, place) => first + place);
  const at = (place: number) =>
    parts[Math.floor(place / partSize) === upper ? 0 : 1]?.currentData?.previews[place % partSize];

  if (!begin.currentData) return <Unread of={begin} where="ExperimentTable" lines={10} />;
  return (
    <>
      {failed && <Unread of={failed} where="ExperimentTable" lines={2} />}
      <div ref={ref} data-many>
        <Table state={state} onSort={onSort}>
          <Space rows={first} />
          {places.map((place) => {
            const experiment = at(place);
            return experiment ? <Row key={place} experiment={experiment} /> : <Space key={place} rows={1} />;
          })}
          <Space rows={total - end} />
        </Table>
      </div>
      {total === 0 && <NoRows state={state} />}
      <div className={classes.foot}>
        <p role="status">{t('table.fromTo', { from: Math.min(1, total), to: total, total })}</p>
        <p>{t('table.pageOf', { page: 1, last: 1 })}</p>
      </div>
    </>
  );
}

/** A part of the table, by its number from 0. */
function usePart(state: TableState, part: number) {
  const language = useLanguage();
  return useExperimentPreviewsQuery({
    language,
    limit: partSize,
    offset: part * partSize,
    ...questionOf(state),
  });
}

/** The room of rows that are not in the page, or not there yet; as wide as the columns and the link. */
function Space({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns.length + 1} style={{ height: rows * rowHeight, padding: 0 }} />
    </tr>
  );
}
