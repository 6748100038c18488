import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReviewPart } from '../../../api/editing';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { NoteIcon, PencilIcon, TrashIcon } from '../../../ui/editIcons';
import { TextareaField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import classes from './panel.module.css';
import { Pin } from './Pin';
import { maxNoteLength, type DraftNote, type ReviewDraft } from './useReviewDraft';

/** The reviewer's notes, in the order in which they were written; their numbers are those of the pins. */
export function NotesSection({ draft }: { draft: ReviewDraft }) {
  const { t } = useTranslation();
  const { notes, open } = draft;
  const goTo = useFocusNext();
  const finish = (place: number, part: ReviewPart, isKept: boolean) =>
    goTo(isKept || place < notes.length ? `[data-note="${place}"] button` : `[data-begins="${part}"]`);
  return (
    <section aria-label={t('review.notes')}>
      <h3 className={classes.notesTitle} id="review-notes" tabIndex={-1}>
        {t('review.notes')} <span className={classes.count}>{notes.length || ''}</span>
      </h3>
      {notes.length === 0 && !open && <p className={classes.small}>{t('review.noNotes')}</p>}
      <ol className={classes.notes}>
        {notes.map((note, place) =>
          open?.place === place ? (
            <OpenNoteForm key={place} draft={draft} onFinish={finish} />
          ) : (
            <li key={place} data-note={place}>
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
                  onClick={
                    open
                      ? undefined
                      : () => {
                          draft.remove(place);
                          goTo('#review-notes');
                        }
                  }
                />
              </span>
            </li>
          ),
        )}
        {open?.place === notes.length && <OpenNoteForm draft={draft} onFinish={finish} />}
      </ol>
      {!open && (
        <Button
          size="sm"
          variant="transparent"
          leftSection={<NoteIcon size={16} />}
          data-begins="whole"
          onClick={() => draft.begin('whole')}
        >
          {t('review.noteOn', { part: t('review.parts.whole') })}
        </Button>
      )}
    </section>
  );
}

/** Returns a function that focuses a selector's element after the next render, which removes the focused one. */
function useFocusNext(): (selector: string) => void {
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (!next.current) return;
    document.querySelector<HTMLElement>(next.current)?.focus();
    next.current = undefined;
  });
  return (selector) => {
    next.current = selector;
  };
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

interface OpenNoteFormProps {
  draft: ReviewDraft;
  /** The note at this place, about this part, has been closed. */
  onFinish: (place: number, part: ReviewPart, isKept: boolean) => void;
}

function OpenNoteForm({ draft, onFinish }: OpenNoteFormProps) {
  const { t } = useTranslation();
  const [isEmpty, setEmpty] = useState(false);
  const { open, write, keep, cancel } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const part = open?.part;
  // A new form gets the focus, so that typing can start at once.
  useEffect(() => field.current?.focus(), [part]);
  if (!open) return null;
  const tryToKeep = () => {
    if (open.text.trim()) {
      keep();
      onFinish(open.place, open.part, true);
    } else setEmpty(true);
  };
  const leave = () => {
    cancel();
    onFinish(open.place, open.part, false);
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
            maxLength={maxNoteLength}
            ref={field}
            value={open.text}
            error={isEmpty && !open.text.trim() && t('review.empty')}
            onChange={({ currentTarget }) => write(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              tryToKeep();
            }}
          />
        </AppMantineProvider>
        <div className={classes.keep}>
          <Button size="sm" variant="light" onClick={tryToKeep}>
            {t('review.keep')}
          </Button>
          <Button size="sm" variant="transparent" onClick={leave}>
            {t('review.cancel')}
          </Button>
        </div>
      </div>
    </li>
  );
}
