import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './MenuRow.module.css';

/** A row of a menu: leads to a page, or does something. */
export type Row = {
  label: string;
  icon: ReactNode;
  /** How much there is, or what waits. */
  value?: ReactNode;
} & ({ to: string } | { onPress: () => void });

export interface MenuRowProps {
  row: Row;
  /** menu: 44 px, an item of a Menu · sheet: 52 px. */
  look: 'menu' | 'sheet';
  /** Called before the row's page opens or its act is done. */
  onChoose: (row: Row) => void;
}

/** A row of a menu or of its sheet, with an icon and at the end how much there is. */
export function MenuRow({ row, look, onChoose }: MenuRowProps) {
  const words = (
    <>
      {row.icon}
      <span className={classes.label}>{row.label}</span>
      {row.value !== undefined && <span className={classes.value}>{row.value}</span>}
    </>
  );
  const item = {
    className: `${classes.root} ${classes[look]}`,
    ...(look === 'menu' && { role: 'menuitem', tabIndex: -1 }),
  };
  if ('to' in row)
    return (
      <Link {...item} to={row.to} onClick={() => onChoose(row)}>
        {words}
      </Link>
    );
  return (
    <button
      {...item}
      type="button"
      onClick={() => {
        onChoose(row);
        row.onPress();
      }}
    >
      {words}
    </button>
  );
}
