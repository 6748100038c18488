import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReviewPart } from '../../../api/editing';
import { Button } from '../../../ui/Button';
import { NoteIcon } from '../../../ui/editIcons';
import classes from './NotedPart.module.css';
import { Pin } from './Pin';

export interface NotedPartProps {
  part: ReviewPart;
  /** The numbers of the notes on it. */
  pins: readonly number[];
  /** Begins a note. Undefined if no notes can be added now. */
  onNote?: () => void;
  children: ReactNode;
}

/** A part of the reviewed page with the pins of its notes, and a button for a new note, shown on hover and focus. */
export function NotedPart({ part, pins, onNote, children }: NotedPartProps) {
  const { t } = useTranslation();
  const name = t(`review.parts.${part}`);
  return (
    <div
      role="group"
      aria-label={name}
      className={classes.root}
      data-part={part}
      data-noted={pins.length > 0 ? true : undefined}
    >
      {children}
      {pins.length > 0 && (
        <div className={classes.pins}>
          {pins.map((number) => (
            <Pin key={number} number={number} />
          ))}
        </div>
      )}
      {onNote && (
        <div className={classes.tab}>
          <Button
            size="sm"
            leftSection={<NoteIcon size={16} />}
            className={classes.note}
            data-begins={part}
            onClick={onNote}
          >
            {t('review.noteOn', { part: name })}
          </Button>
        </div>
      )}
    </div>
  );
}
