import { createContext, useContext } from 'react';
import type { PictureOf } from '../../../api/upload';

/** The editor's settings, for the node views inside it. */
export interface RichTextSettings {
  /** Whose files pictures become. */
  pictures: PictureOf;
  /** Whether audio players can be inserted, too. */
  hasSound: boolean;
}

/** Provided by RichTextEditor. */
export const RichTextContext = createContext<RichTextSettings | undefined>(undefined);

/** The settings of the editor around this component. Throws outside of one. */
export function useRichTextContext(): RichTextSettings {
  const found = useContext(RichTextContext);
  if (!found) throw new Error('The component is used outside of a RichTextEditor.');
  return found;
}
