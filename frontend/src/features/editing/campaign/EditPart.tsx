import { useId, type ReactNode } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { PencilIcon } from '../../../ui/editIcons';
import classes from './EditPart.module.css';
import { ReviewerNotes } from './ReviewerNotes';

export interface EditPartProps {
  /** The part's name, on its tab. */
  name: string;
  /** For links to it from the checklist. */
  id?: string;
  /** The part's name in a review. The reviewer's notes on it are shown below it. */
  reviewPart?: ReviewPart;
  children: ReactNode;
}

/** A part of the page that is edited in its place. Its frame is dashed, and solid while it has the focus. */
export function EditPart({ name, id, reviewPart, children }: EditPartProps) {
  const label = useId();
  return (
    <div className={classes.root} id={id} role="group" aria-labelledby={label}>
      <span className={classes.tab} id={label}>
        <PencilIcon size={16} />
        {name}
      </span>
      {children}
      {reviewPart && <ReviewerNotes parts={[reviewPart]} />}
    </div>
  );
}
