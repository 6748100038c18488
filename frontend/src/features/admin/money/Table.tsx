import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import table from '../../../ui/table/Table.module.css';
import classes from './Table.module.css';

type Column = ParseKeys extends infer Key ? (Key extends `desk.column.${infer Name}` ? Name : never) : never;

export interface TableProps {
  label: string;
  columns: readonly Column[];
  /** Rows of the class row of ui/table. */
  children: ReactNode;
}

const isSum = (column: Column) =>
  ['amount', 'charge', 'fee', 'reserve', 'net', 'book', 'objects', 'balance'].includes(column);

/** A table of the desk, which scrolls sideways where it is too wide. */
export function Table({ label, columns, children }: TableProps) {
  const { t } = useTranslation();
  return (
    <div className={`${table.panel} ${classes.panel}`}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by Tab */}
      <div className={table.scroll} tabIndex={0} role="region" aria-label={label}>
        <table className={`${table.table} ${classes.table}`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={isSum(column) ? classes.number : undefined}>
                  {t(`desk.column.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </div>
  );
}

/** Sentences in a row, which break into lines. */
export function WordsCell({ children }: { children: ReactNode }) {
  return <td className={classes.words}>{children}</td>;
}

/** Of which moment a row is, below its day. */
export function When({ children }: { children: ReactNode }) {
  return <p className={classes.when}>{children}</p>;
}

/** A sum in a row, below the others of its column. */
export function SumCell({ children }: { children: ReactNode }) {
  return <td className={classes.number}>{children}</td>;
}
