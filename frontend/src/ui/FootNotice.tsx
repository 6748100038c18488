import type { ReactNode } from 'react';
import classes from './FootNotice.module.css';

export interface FootNoticeProps {
  icon: ReactNode;
  isFailure?: boolean;
  title: string;
  children: string;
  acts: ReactNode;
}

/** A notice at the bottom of the screen that stays until what it tells is over. */
export function FootNotice({ icon, isFailure, title, children, acts }: FootNoticeProps) {
  return (
    <div className={classes.root}>
      <div className={classes.words} role="status">
        <span className={isFailure ? classes.failure : classes.icon}>{icon}</span>
        <p>
          <b className={classes.title}>{title}</b> {children}
        </p>
      </div>
      <div className={classes.acts}>{acts}</div>
    </div>
  );
}
