import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import { useMendReviewNoteMutation, type Review, type ReviewPart } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { CheckIcon } from '../../../ui/icons';
import { failureOf } from '../../../ui/saving/failures';
import { currentNotes, type NumberedNote } from './currentNotes';
import classes from './PartNotes.module.css';
import { Pin } from './Pin';

export interface PartNotesProps {
  campaignId: number;
  review: Review;
  /** The parts that are edited here. */
  parts: readonly ReviewPart[];
  /** Called with the new review after a note was marked as done or not done. */
  onChanged: (review: Review) => void;
}

/** The reviewer's notes on the parts that are edited here. Empty without notes, and once the review is approved. */
export function PartNotes({ campaignId, review, parts, onChanged }: PartNotesProps) {
  const notes = currentNotes(review).filter(({ part }) => parts.includes(part));
  if (notes.length === 0 || review.state === 'approved') return null;
  return (
    <ul className={classes.root}>
      {notes.map((note) => (
        <li key={note.note_id} data-mended={note.mended ? true : undefined}>
          <Note campaignId={campaignId} note={note} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  );
}

interface NoteProps extends Pick<PartNotesProps, 'campaignId' | 'onChanged'> {
  note: NumberedNote;
}

function Note({ campaignId, note, onChanged }: NoteProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const [mend, { isLoading }] = useMendReviewNoteMutation();
  const [failure, setFailure] = useState<ApiError>();
  const { note_id: noteId, number, text, quote, by, at, mended } = note;
  const press = async () => {
    setFailure(undefined);
    const { data, error } = await mend({ campaignId, noteId, reviewNoteChange: { mended: !mended } });
    if (data) onChanged(data.review);
    else setFailure(failureOf(error));
  };
  return (
    <>
      <Pin number={number} />
      <div className={classes.words}>
        {quote && <p className={classes.quote}>{t('review.quote', { quote })}</p>}
        <p className={classes.text}>{text}</p>
        <p className={classes.by}>{t('review.creator.by', { who: by, day: formatDay(language, at) })}</p>
        <div className={classes.acts}>
          {mended && (
            <span className={classes.mended}>
              <CheckIcon size={16} />
              {t('review.creator.mended')}
            </span>
          )}
          <Button
            size="sm"
            variant={mended ? 'transparent' : 'light'}
            loading={isLoading}
            onClick={() => void press()}
          >
            {t(mended ? 'review.creator.unmend' : 'review.creator.mend')}
          </Button>
        </div>
        <div role="alert" className={classes.failure}>
          {failure && errorText(failure, 'PartNotes')}
        </div>
      </div>
    </>
  );
}
