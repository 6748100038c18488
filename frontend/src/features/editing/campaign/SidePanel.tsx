import type { ReactNode } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { NotesHere } from './NotesHere';
import classes from './SidePanel.module.css';

export interface SidePanelProps {
  title: string;
  /** For links to it from the checklist. */
  id?: string;
  /** A sentence under the title. */
  help?: ReactNode;
  /** As reviewers know these settings: their notes on them are under the title. */
  noted?: readonly ReviewPart[];
  children: ReactNode;
}

/** A group of settings beside the page. */
export function SidePanel({ title, id, help, noted, children }: SidePanelProps) {
  return (
    <section className={classes.root} id={id} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {help && <p className={classes.help}>{help}</p>}
      {noted && <NotesHere parts={noted} />}
      {children}
    </section>
  );
}
