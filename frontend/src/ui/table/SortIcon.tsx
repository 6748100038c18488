import classes from './Table.module.css';

/** How a column is sorted: faint arrows both ways until it is. */
export function SortIcon({ direction }: { direction?: 'asc' | 'desc' }) {
  const path =
    direction === undefined
      ? 'm8 9 4-4 4 4M8 15l4 4 4-4'
      : direction === 'asc'
        ? 'M12 19V5m-5 5 5-5 5 5'
        : 'M12 5v14m-5-5 5 5 5-5';
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={direction ? classes.sorted : classes.unsorted}
    >
      <path d={path} />
    </svg>
  );
}
