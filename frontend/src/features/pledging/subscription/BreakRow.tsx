import { useRef, type ReactNode } from 'react';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import classes from './SubscriptionPage.module.css';

export interface BreakRowProps {
  title: string;
  text: string;
  action: ReactNode;
  /** Why what was pressed last was not done. */
  failure?: string;
}

/** A ruled row: what can be done, what comes of it, and the button. */
export function BreakRow({ title, text, action, failure }: BreakRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useHeadingAfter(row);
  return (
    <div ref={row} className={classes.row}>
      <div>
        <h3 className={classes.rowTitle}>{title}</h3>
        <p className={classes.help}>{text}</p>
      </div>
      <div className={classes.rowAct}>{action}</div>
      {failure && (
        <p role="alert" className={classes.rowFailure}>
          {failure}
        </p>
      )}
    </div>
  );
}
