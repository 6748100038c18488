import type { ReactNode } from 'react';
import classes from './OwnPage.module.css';
import { OwnMenu } from './OwnMenu';

export interface OwnPageProps {
  title: string;
  lead?: string;
  children: ReactNode;
}

/** One of the signed-in person's own pages: the menu, a title with a sentence, and the parts. */
export function OwnPage({ title, lead, children }: OwnPageProps) {
  return (
    <div className={`tk-container ${classes.root}`}>
      <OwnMenu />
      <div className={classes.main}>
        <h1 className="tk-form-title">{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </div>
  );
}
