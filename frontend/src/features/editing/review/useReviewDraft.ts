import { useState } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { localDraft } from '../../../ui/saving/localDraft';

/** The reviewer's own checklist. It is kept on the device only, and never sent. */
export const ticks = ['money', 'delivery', 'risks', 'identity'] as const;
/** An item of the reviewer's own checklist. */
export type Tick = (typeof ticks)[number];

/** A note that has not been sent yet. */
export interface DraftNote {
  part: ReviewPart;
  text: string;
  /** The words of the story that it is about; empty for the whole part. */
  quote: string;
}

/** A note that is being written. `place`: its index among the notes; notes.length for a new one. */
export interface OpenNote extends DraftNote {
  place: number;
}

interface Draft {
  ticks: Tick[];
  notes: DraftNote[];
  open?: OpenNote;
}

/** The contract's bound. */
export const maxNotes = 50;
/** In characters; the contract's bound. */
export const maxNoteLength = 2_000;
/** In characters; the contract's bound. */
const maxQuoteLength = 500;

const nothing: Draft = { ticks: [], notes: [] };

/** The notes and ticks of one round of a review, kept on the device until a decision is made. */
export function useReviewDraft(userId: number, campaignId: number, round: number) {
  const [kept] = useState(() => localDraft<Draft>(userId, `review-${campaignId}-${round}`));
  const [draft, setDraft] = useState<Draft>(() => ({ ...nothing, ...kept.read() }));
  const change = (next: Draft) => {
    setDraft(next);
    kept.write(next);
  };
  const { notes, open } = draft;
  return {
    ...draft,
    tick: (one: Tick, isTicked: boolean) =>
      change({
        ...draft,
        ticks: [...draft.ticks.filter((other) => other !== one), ...(isTicked ? [one] : [])],
      }),
    /** Begins a note. Does nothing while another one has text, which would be lost. */
    begin: (part: ReviewPart, quote = '') => {
      if (!open?.text.trim())
        change({
          ...draft,
          open: { part, text: '', quote: quote.slice(0, maxQuoteLength), place: notes.length },
        });
    },
    edit: (place: number) => {
      const note = notes[place];
      if (note && !open?.text.trim()) change({ ...draft, open: { ...note, place } });
    },
    write: (text: string) => open && change({ ...draft, open: { ...open, text } }),
    keep: () => {
      if (!open) return;
      const { place, ...note } = open;
      change({
        ...draft,
        notes: [...notes.slice(0, place), note, ...notes.slice(place + 1)],
        open: undefined,
      });
    },
    cancel: () => change({ ...draft, open: undefined }),
    remove: (place: number) => change({ ...draft, notes: notes.filter((_, other) => other !== place) }),
    /** Deletes the draft, after the decision. */
    forget: () => {
      setDraft(nothing);
      kept.write();
    },
  };
}

/** What useReviewDraft returns. */
export type ReviewDraft = ReturnType<typeof useReviewDraft>;
