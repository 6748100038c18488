import { useState } from 'react';
import type { ReviewPart } from '../../../api/editing';
import { keptOnDevice } from '../kept';

/** What a reviewer judges for themselves; it is sent to nobody. */
export const ticks = ['money', 'delivery', 'risks', 'identity'] as const;
export type Tick = (typeof ticks)[number];

/** A note that has not been sent yet. */
export interface DraftNote {
  part: ReviewPart;
  text: string;
  /** The words of the story that it is about, or empty. */
  quote: string;
}

/** A note while it is written; `place` is its place among the notes, or one past the last for a new one. */
export interface OpenNote extends DraftNote {
  place: number;
}

interface Draft {
  ticks: Tick[];
  notes: DraftNote[];
  open?: OpenNote;
}

/** The contract's bounds. */
export const mostNotes = 50;
export const longestNote = 2_000;
export const longestQuote = 500;

const nothing: Draft = { ticks: [], notes: [] };

/** The notes and ticks of one round of a review, kept on the device until a decision is made. */
export function useReviewDraft(userId: number, campaignId: number, round: number) {
  const [kept] = useState(() => keptOnDevice<Draft>(userId, `review-${campaignId}-${round}`));
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
    /** Begins a note; one that is being written stays, because it would be lost. */
    begin: (part: ReviewPart, quote = '') => {
      if (!open?.text.trim())
        change({
          ...draft,
          open: { part, text: '', quote: quote.slice(0, longestQuote), place: notes.length },
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
    /** After the decision. */
    forget: () => {
      setDraft(nothing);
      kept.write();
    },
  };
}

export type ReviewDraft = ReturnType<typeof useReviewDraft>;
