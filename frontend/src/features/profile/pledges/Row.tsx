import type { ReactNode } from 'react';
import classes from './MyPledgesPage.module.css';

export interface RowProps {
  label: string;
  value: ReactNode;
  action?: ReactNode;
  /** Below the row, such as a form. */
  children?: ReactNode;
}

/** A ruled row of a pledge: what it is, its value, and what can be done. */
export function Row({ label, value, action, children }: RowProps) {
  return (
    <div className={classes.row}>
      <h4 className={classes.label}>{label}</h4>
      <div className={classes.value}>{value}</div>
      {action && <div className={classes.action}>{action}</div>}
      {children && <div className={classes.below}>{children}</div>}
    </div>
  );
}
