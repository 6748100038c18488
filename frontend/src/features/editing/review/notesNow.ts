import type { Review, ReviewNote } from '../../../api/editing';

/** A note with the number that its pin has. */
export interface NumberedNote extends ReviewNote {
  number: number;
}

/** The notes of the last decision, numbered from 1 as they were written. Earlier rounds are history. */
export function notesNow({ notes }: Review): NumberedNote[] {
  const last = Math.max(...notes.map(({ round }) => round));
  return notes.filter(({ round }) => round === last).map((note, place) => ({ ...note, number: place + 1 }));
}
