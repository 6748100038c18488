import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classes from './SectionHead.module.css';

export interface SectionHeadProps {
  id: string;
  title: string;
  /** The page with the whole list. */
  to?: string;
  children?: ReactNode;
}

/** A section's heading, with a link to the whole list at the right. */
export function SectionHead({ id, title, to, children }: SectionHeadProps) {
  return (
    <div className={classes.root}>
      <h2 id={id}>{title}</h2>
      {to && (
        <Link to={to} className={classes.all}>
          {children}
        </Link>
      )}
    </div>
  );
}
