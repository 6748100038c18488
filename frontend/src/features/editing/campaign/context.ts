import { createContext, useContext } from 'react';
import type { Language } from '../../../domain/languages';
import type { CampaignWriting } from './useCampaignWriting';

/** The state of the campaign editor, for all parts of its page. */
export interface WritingPage extends CampaignWriting {
  /** The language in which texts are edited. */
  language: Language;
  setLanguage: (language: Language) => void;
}

/** Provided by CampaignEditor. */
export const WritingContext = createContext<WritingPage | undefined>(undefined);

/** The state of the campaign editor around this component. Throws outside of one. */
export function useWriting(): WritingPage {
  const page = useContext(WritingContext);
  if (!page) throw new Error('useWriting is called outside of a campaign editor.');
  return page;
}
