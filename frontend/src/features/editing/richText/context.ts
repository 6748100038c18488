import { createContext, useContext } from 'react';
import type { PictureOf } from '../../../api/upload';

/** What the pieces inside a text need of the screen around it. */
export interface TextSurroundings {
  /** Whose files pictures go to. */
  pictures: PictureOf;
  /** Sound players may be put in, besides videos. */
  hasSound: boolean;
}

export const TextContext = createContext<TextSurroundings | undefined>(undefined);

export function useTextSurroundings(): TextSurroundings {
  const found = useContext(TextContext);
  if (!found) throw new Error('A piece of a text stands outside of an editor.');
  return found;
}
