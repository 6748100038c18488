import type { ReactNode } from 'react';
import classes from './OwnBox.module.css';

export interface OwnBoxProps {
  icon: ReactNode;
  look: 'done' | 'failed' | 'sunken';
  title: string;
  children: ReactNode;
  actions: ReactNode;
}

/** What its reader has in a campaign already, and the way to it. */
export function OwnBox({ icon, look, title, children, actions }: OwnBoxProps) {
  return (
    <div className={classes.root} data-look={look}>
      <span className={classes.icon}>{icon}</span>
      <div>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.text}>{children}</p>
        <div className={classes.actions}>{actions}</div>
      </div>
    </div>
  );
}
