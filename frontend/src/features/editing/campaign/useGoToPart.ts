import { flushSync } from 'react-dom';
import type { ChecklistItem } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { ofLanguage } from '../partNames';
import type { PartName } from './parts';
import { storyParts, useEditor } from './useCampaignEditor';

/** The id of the element that each checklist item is about. */
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

/** The ids of the elements that hold these settings. All others are in MoneyAndTime. */
const settingPlaces: Partial<Record<PartName, string>> = {
  place: 'sorting',
  categories: 'sorting',
  tags: 'sorting',
  contact_email: 'contact',
  legal_creator: 'contact',
  legal_creator_type: 'contact',
  external_link_1: 'contact',
};

/** The id of the element that holds a text or a setting. */
export function placeOf(part: PartName): string {
  const text = ofLanguage(part);
  return (text ? text.field.replace('json_description', 'story') : settingPlaces[part]) ?? 'money';
}

/** Functions that select a part's language, scroll to the part and focus its field. */
export function useGoToPart() {
  const { admin, setLanguage, saver, question } = useEditor();
  const switchLanguage = (name: string | undefined) => {
    const language = languages.find((one) => one === name);
    // Renders synchronously, because the caller then looks for the fields of that language.
    if (language) flushSync(() => setLanguage(language));
  };
  return {
    /** To what an item of the checklist is about. */
    toItem: ({ key, language }: Pick<ChecklistItem, 'key' | 'language'>) => {
      // The server counts the alt texts in the campaign's own language.
      switchLanguage(key === 'alt_texts' ? admin.language : language);
      if (key === 'alt_texts' && focusPart(firstMissingAlt(admin.project_pic !== ''))) return;
      focusPart(document.getElementById(places[key]));
    },
    /** To a text or a setting. */
    toPart: (part: PartName) => {
      switchLanguage(ofLanguage(part)?.language);
      focusPart(document.getElementById(placeOf(part)));
    },
    /** To the first choice between two people's versions. */
    toQuestion: () => {
      const asked = question?.part ?? storyParts.find((part) => saver.asking(part));
      switchLanguage(asked && ofLanguage(asked)?.language);
      focusPart(document.querySelector('[data-question]'));
    },
  };
}

/** What can get the focus. File inputs are hidden behind a button. */
const fields = 'textarea, input:not([type=file]), select, [contenteditable=true], button';

/** Scrolls to an element and focuses its first invalid field, or else its first one. Returns whether it exists. */
function focusPart(place: HTMLElement | null): boolean {
  place?.scrollIntoView({ block: 'center' });
  const field = place?.matches(fields)
    ? place
    : (place?.querySelector<HTMLElement>('[aria-invalid=true]') ?? place?.querySelector<HTMLElement>(fields));
  field?.focus();
  return Boolean(place);
}

/**
 * What to focus for the first missing alt text: the cover's field (a generated cover needs none), the button of a
 * picture in the story, or else the edit button of a reward with a picture, whose alt text is in its form.
 */
function firstMissingAlt(hasCover: boolean): HTMLElement | null {
  const cover = document.querySelector<HTMLInputElement>('#cover input[data-alt]');
  if (hasCover && cover?.value.trim() === '') return cover;
  return (
    document.querySelector<HTMLElement>('#story [data-no-alt] button') ??
    document.querySelector<HTMLElement>('[data-pictured] [data-edit]')
  );
}
