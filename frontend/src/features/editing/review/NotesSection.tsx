import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { PencilIcon, TrashIcon } from '../../../ui/editIcons';
import { TextareaField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import classes from './panel.module.css';
import { Pin } from './Pin';
import { longestNote, type DraftNote, type ReviewDraft } from './useReviewDraft';

/** The reviewer's notes, in the order in which they were written; their numbers are those of the pins. */
export function NotesSection({ draft }: { draft: ReviewDraft }) {
  const { t } = useTranslation();
  const { notes, open } = draft;
  return (
    <section aria-label={t('review.notes')}>
      <h3 className={classes.notesTitle}>
        {t('review.notes')} <span className={classes.count}>{notes.length || ''}</span>
      </h3>
      {notes.length === 0 && !open && <p className={classes.small}>{t('review.noNotes')}</p>}
      <ol className={classes.notes}>
        {notes.map((note, place) =>
          open?.place === place ? (
            <OpenNoteForm key={place} draft={draft} />
          ) : (
            <li key={place}>
              <Pin number={place + 1} />
              <div className={classes.note}>
                <NoteWords note={note} />
                <p>{note.text}</p>
              </div>
              <span className={classes.acts}>
                <IconButton
                  look="tool"
                  label={t('review.editNote', { number: place + 1 })}
                  icon={<PencilIcon size={20} />}
                  aria-disabled={open ? true : undefined}
                  onClick={open ? undefined : () => draft.edit(place)}
                />
                <IconButton
                  look="tool"
                  label={t('review.deleteNote', { number: place + 1 })}
                  icon={<TrashIcon size={20} />}
                  aria-disabled={open ? true : undefined}
                  onClick={open ? undefined : () => draft.remove(place)}
                />
              </span>
            </li>
          ),
        )}
        {open?.place === notes.length && <OpenNoteForm draft={draft} />}
      </ol>
    </section>
  );
}

function NoteWords({ note }: { note: Pick<DraftNote, 'part' | 'quote'> }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.part}>{t(`review.parts.${note.part}`)}</p>
      {note.quote && <p className={classes.quote}>{t('review.quote', { quote: note.quote })}</p>}
    </>
  );
}

function OpenNoteForm({ draft }: { draft: ReviewDraft }) {
  const { t } = useTranslation();
  const [isEmpty, setEmpty] = useState(false);
  const { open, write, keep, cancel } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const part = open?.part;
  // Whoever asked for a note goes on by writing it.
  useEffect(() => field.current?.focus(), [part]);
  if (!open) return null;
  const tryToKeep = () => {
    if (open.text.trim()) keep();
    else setEmpty(true);
  };
  return (
    <li>
      <Pin number={open.place + 1} />
      <div className={classes.note}>
        <NoteWords note={open} />
        <AppMantineProvider>
          <TextareaField
            label={
              <span className="tk-visually-hidden">
                {t('review.noteText', { part: t(`review.parts.${open.part}`) })}
              </span>
            }
            autosize
            minRows={3}
            maxLength={longestNote}
            ref={field}
            value={open.text}
            error={isEmpty && !open.text.trim() && t('review.empty')}
            onChange={({ currentTarget }) => write(currentTarget.value)}
          />
        </AppMantineProvider>
        <div className={classes.keep}>
          <Button size="sm" variant="light" onClick={tryToKeep}>
            {t('review.keep')}
          </Button>
          <Button size="sm" variant="transparent" onClick={cancel}>
            {t('review.cancel')}
          </Button>
        </div>
      </div>
    </li>
  );
}
