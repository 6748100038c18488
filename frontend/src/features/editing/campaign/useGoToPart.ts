import type { ChecklistItem } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { useWriting } from './context';

/** The part of the page that an item is about, by its id. */
const places: Readonly<Record<ChecklistItem['key'], string>> = {
  title: 'title',
  tagline: 'tagline',
  story: 'story',
  cover: 'cover',
  goal: 'money',
  dates: 'money',
  offer: 'offer',
  contact: 'contact',
  legal_creator: 'contact',
  alt_texts: 'story',
  translations: 'title',
  payment_account: 'account',
};

/** Leads to the part of the page that an item of the checklist is about, in the language in which it is missing. */
export function useGoToPart() {
  const { setLanguage } = useWriting();
  return ({ key, language }: Pick<ChecklistItem, 'key' | 'language'>) => {
    const missing = languages.find((one) => one === language);
    if (missing) setLanguage(missing);
    const place = document.getElementById(places[key]);
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('textarea, input, select, [contenteditable=true], button')?.focus();
  };
}
