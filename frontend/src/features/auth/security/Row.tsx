import type { ReactNode } from 'react';
import classes from './security.module.css';

export interface RowProps {
  icon: ReactNode;
  title: ReactNode;
  text: string;
  /** What can be done, at the right. */
  children?: ReactNode;
}

/** A ruled row of the page. */
export function Row({ icon, title, text, children }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.icon}>{icon}</span>
      <div className={classes.words}>
        <p className={classes.name}>{title}</p>
        <p className={classes.small}>{text}</p>
      </div>
      {children && <div className={classes.rowActs}>{children}</div>}
    </li>
  );
}
