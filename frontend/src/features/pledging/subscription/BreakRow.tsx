import type { ReactNode } from 'react';
import classes from './SubscriptionPage.module.css';

export interface BreakRowProps {
  title: string;
  text: string;
  action: ReactNode;
}

/** A ruled row: what can be done, what comes of it, and the button. */
export function BreakRow({ title, text, action }: BreakRowProps) {
  return (
    <div className={classes.row}>
      <div>
        <h3 className={classes.rowTitle}>{title}</h3>
        <p className={classes.help}>{text}</p>
      </div>
      <div className={classes.rowAct}>{action}</div>
    </div>
  );
}
