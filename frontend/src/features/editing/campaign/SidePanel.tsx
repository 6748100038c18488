import type { ReactNode } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { ReviewerNotes } from './ReviewerNotes';
import classes from './SidePanel.module.css';

export interface SidePanelProps {
  title: string;
  /** For links to it from the checklist. */
  id?: string;
  /** A sentence under the title. */
  help?: ReactNode;
  /** The names of these settings in a review. The reviewer's notes on them are shown under the title. */
  reviewParts?: readonly ReviewPart[];
  children: ReactNode;
}

/** A group of settings beside the page. */
export function SidePanel({ title, id, help, reviewParts, children }: SidePanelProps) {
  return (
    <section className={classes.root} id={id} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {help && <p className={classes.help}>{help}</p>}
      {reviewParts && <ReviewerNotes parts={reviewParts} />}
      {children}
    </section>
  );
}
