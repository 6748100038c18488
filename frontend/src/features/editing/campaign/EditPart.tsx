import { useId, type ReactNode } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { PencilIcon } from '../../../ui/editIcons';
import { WritersTab } from '../presence/Writers';
import { useWritersIn } from '../presence/writers';
import classes from './EditPart.module.css';
import { ReviewerNotes } from './ReviewerNotes';

export interface EditPartProps {
  /** The part's name, on its tab. */
  name: string;
  /** For links to it from the checklist. */
  id?: string;
  /** What the others of the team are told when this part has the focus; pages tell it apart, so a text has its language in it. */
  place?: string;
  /** The part's name in a review. The reviewer's notes on it are shown below it. */
  reviewPart?: ReviewPart;
  children: ReactNode;
}

/** A part of the page that is edited in its place. Its frame is dashed, and solid while it has the focus, or somebody else's has. */
export function EditPart({ name, id, place = id, reviewPart, children }: EditPartProps) {
  const label = useId();
  const writers = useWritersIn(place);
  const isOthers = writers.length > 0;
  return (
    <div
      className={classes.root}
      id={id}
      role="group"
      aria-labelledby={label}
      data-place={place}
      data-others={isOthers || undefined}
    >
      <span className={classes.tabs}>
        {isOthers && <WritersTab writers={writers} />}
        <span className={classes.tab} id={label}>
          <PencilIcon size={16} />
          {name}
        </span>
      </span>
      {children}
      {reviewPart && <ReviewerNotes parts={[reviewPart]} />}
    </div>
  );
}
