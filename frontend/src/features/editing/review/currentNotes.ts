import type { Review, ReviewNote } from '../../../api/editing';

/** A note with the number on its pin. */
export interface NumberedNote extends ReviewNote {
  number: number;
}

/** The notes of the latest decision, without those of earlier rounds, numbered from 1 in the order of writing. */
export function currentNotes({ notes }: Review): NumberedNote[] {
  const last = Math.max(...notes.map(({ round }) => round));
  return notes.filter(({ round }) => round === last).map((note, place) => ({ ...note, number: place + 1 }));
}
