import { createContext, useContext } from 'react';
import type { Writer } from '../../../api/editing';

/** Who else has this editor open; provided by the editors of campaigns and experiments. */
export const WritersContext = createContext<readonly Writer[]>([]);

/** Who else writes in a place now. */
export function useWritersIn(place: string | undefined): readonly Writer[] {
  const writers = useContext(WritersContext);
  return place === undefined ? [] : writers.filter((writer) => writer.place === place);
}

/** The place that has the focus, as it is told to the others; empty: none. */
export function placeInFocus(): string {
  return document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset.place ?? '';
}
