import { flushSync } from 'react-dom';
import type { ChecklistItem } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { useWriting } from './context';
import { ofLanguage, type PartName } from './parts';

/** Where the two versions of a part stand while one has to be chosen. */
export const conflictId = 'conflict';

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

/** Where settings stand that are not with money and time. */
const settingPlaces: Partial<Record<PartName, string>> = {
  place: 'sorting',
  categories: 'sorting',
  tags: 'sorting',
  contact_email: 'contact',
  legal_creator: 'contact',
  legal_creator_type: 'contact',
  external_link_1: 'contact',
};

/** Leads to a part of the page, in the language that it is about. */
export function useGoToPart() {
  const { admin, setLanguage } = useWriting();
  const write = (name: string | undefined) => {
    const language = languages.find((one) => one === name);
    // The fields of another language are there only after that.
    if (language) flushSync(() => setLanguage(language));
  };
  return {
    /** To what an item of the checklist is about. */
    toItem: ({ key, language }: Pick<ChecklistItem, 'key' | 'language'>) => {
      // The server counts the descriptions in the campaign's own language.
      write(key === 'alt_texts' ? admin.language : language);
      if (key === 'alt_texts' && enter(undescribed(admin.project_pic !== ''))) return;
      enter(document.getElementById(places[key]));
    },
    /** To a text or a setting. */
    toPart: (part: PartName) => {
      const text = ofLanguage(part);
      write(text?.language);
      const id = text ? text.field.replace('json_description', 'story') : settingPlaces[part];
      enter(document.getElementById(id ?? 'money'));
    },
    /** To the choice between two people's versions. */
    toConflict: () => enter(document.getElementById(conflictId)),
  };
}

/** What takes the focus; a file's field is behind a button. */
const fields = 'textarea, input:not([type=file]), select, [contenteditable=true], button';

/** Brings a part into sight and focuses its field that is wrong, else its first. Whether there is such a part. */
function enter(place: HTMLElement | null): boolean {
  place?.scrollIntoView({ block: 'center' });
  const field = place?.matches(fields)
    ? place
    : (place?.querySelector<HTMLElement>('[aria-invalid=true]') ?? place?.querySelector<HTMLElement>(fields));
  field?.focus();
  return Boolean(place);
}

/**
 * The first picture that is not described: the cover, which is none while it is only drawn, or one of the story. With
 * these described it is a reward's, whose description stands in its form.
 */
function undescribed(hasCover: boolean): HTMLElement | null {
  const cover = document.querySelector<HTMLInputElement>('#cover input[data-alt]');
  if (hasCover && cover?.value.trim() === '') return cover;
  return (
    document.querySelector<HTMLElement>('#story [data-no-alt] button') ??
    document.querySelector<HTMLElement>('[data-pictured] [data-edit]')
  );
}
