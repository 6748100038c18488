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
  /** Begins a note. Without it nothing can be noted now. */
  onNote?: () => void;
  children: ReactNode;
}

/** A part of the page as visitors have it, with the notes on it; pointing at it or focusing its button shows that. */
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
