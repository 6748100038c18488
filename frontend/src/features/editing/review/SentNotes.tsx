import { useTranslation } from 'react-i18next';
import type { Review } from '../../../api/editing';
import { Chip } from '../../../ui/Chip';
import { currentNotes } from './currentNotes';
import classes from './panel.module.css';
import { Pin } from './Pin';

/** The notes of the last decision and whether they are done, for the next round of the review. */
export function SentNotes({ review }: { review: Review }) {
  const { t } = useTranslation();
  const notes = currentNotes(review);
  if (notes.length === 0) return null;
  return (
    <ol className={classes.notes}>
      {notes.map(({ note_id, part, text, quote, mended, number }) => (
        <li key={note_id}>
          <Pin number={number} />
          <div className={classes.note}>
            <p className={classes.part}>{t(`review.parts.${part}`)}</p>
            {quote && <p className={classes.quote}>{t('review.quote', { quote })}</p>}
            <p>{text}</p>
          </div>
          {mended && <Chip tone="spruce">{t('review.creator.mended')}</Chip>}
        </li>
      ))}
    </ol>
  );
}
