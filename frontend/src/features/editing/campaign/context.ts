import { createContext, useContext } from 'react';
import type { Language } from '../../../domain/languages';
import type { CampaignWriting } from './useCampaignWriting';

/** The campaign that is being written, for all parts of its page. */
export interface WritingPage extends CampaignWriting {
  /** In which language texts are written now. */
  language: Language;
  setLanguage: (language: Language) => void;
}

export const WritingContext = createContext<WritingPage | undefined>(undefined);

export function useWriting(): WritingPage {
  const page = useContext(WritingContext);
  if (!page) throw new Error('A part of a campaign stands outside of its page.');
  return page;
}
