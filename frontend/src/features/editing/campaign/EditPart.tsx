import { useId, type ReactNode } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { PencilIcon } from '../../../ui/editIcons';
import classes from './EditPart.module.css';
import { NotesHere } from './NotesHere';

export interface EditPartProps {
  /** The part's name, on its tab. */
  name: string;
  /** For links to it from the checklist. */
  id?: string;
  /** As reviewers know it: their notes on it are under it. */
  noted?: ReviewPart;
  children: ReactNode;
}

/** A part of the page that is written in its place: dashed around it, solid while one writes in it. */
export function EditPart({ name, id, noted, children }: EditPartProps) {
  const label = useId();
  return (
    <div className={classes.root} id={id} role="group" aria-labelledby={label}>
      <span className={classes.tab} id={label}>
        <PencilIcon size={16} />
        {name}
      </span>
      {children}
      {noted && <NotesHere parts={[noted]} />}
    </div>
  );
}
