import type { ReactNode } from 'react';
import { Button } from '../Button';
import { SortIcon } from './SortIcon';
import classes from './Table.module.css';

export interface SortHeadProps {
  /** How the table is sorted by this column, if it is. */
  direction?: 'asc' | 'desc';
  className?: string;
  onSort: () => void;
  children: ReactNode;
}

/** The head of a column that the table can be sorted by. */
export function SortHead({ direction, className, onSort, children }: SortHeadProps) {
  return (
    <th
      scope="col"
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
      className={className}
    >
      <Button variant="transparent" size="sm" className={classes.sort} onClick={onSort}>
        <span className={classes.name}>
          {children}
          <SortIcon direction={direction} />
        </span>
      </Button>
    </th>
  );
}
