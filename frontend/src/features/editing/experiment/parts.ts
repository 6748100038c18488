import type { GeographicLocation, Link, Tag } from '../../../api/content';
import type { ExperimentAdmin } from '../../../api/experiments';
import { languages, type Language } from '../../../domain/languages';
import { isDoc } from '../partNames';
import { docOf, plainText, type Doc } from '../richText/document';

/** The texts of an experiment in one language, besides its story. */
export const wordFields = ['title', 'short_description', 'results', 'adoption', 'image_alt'] as const;
export type WordField = (typeof wordFields)[number];

/** Texts that are kept by key (custom_language); a page shows them below the story. */
export const outcomes: readonly WordField[] = ['results', 'adoption'];

/** The longest that each text may be, in characters; the contract's bounds. */
export const longest: Readonly<Record<WordField, number>> = {
  title: 80,
  short_description: 300,
  results: 4_000,
  adoption: 4_000,
  image_alt: 300,
};

/** An organisation that gives money, in major units. */
export interface Giver {
  name: string;
  raised: number;
}

type Words = Record<`${Language}.${WordField}`, string>;
type Stories = Record<`${Language}.json_description`, Doc>;

/** What of an experiment is saved by itself. */
export type ExperimentParts = Words &
  Stories & {
    location: GeographicLocation;
    index: boolean;
    front_page: boolean;
    language: Language;
    goal: number;
    currency: string;
    state: number;
    organizations: Giver[];
    links: Link[];
    tags: Tag[];
  };

export type PartName = keyof ExperimentParts;

/** An experiment as the server has it. */
export function partsOf(admin: ExperimentAdmin): ExperimentParts {
  const words = languages.flatMap((language) => {
    const texts = admin.texts[language];
    const customs = admin.custom_language[language];
    return [
      [`${language}.title`, texts?.title ?? ''],
      [`${language}.short_description`, texts?.short_description ?? ''],
      [`${language}.image_alt`, texts?.image_alt ?? ''],
      [`${language}.json_description`, docOf(texts?.json_description)],
      [`${language}.results`, customs?.results?.value ?? ''],
      [`${language}.adoption`, customs?.adoption?.value ?? ''],
    ];
  });
  const { goal, currency, sources } = admin.funding;
  return {
    ...(Object.fromEntries(words) as Words & Stories),
    location: admin.geographic_location,
    index: Boolean(admin.show_in.index),
    front_page: Boolean(admin.show_in.front_page),
    language: admin.language as Language,
    goal,
    currency,
    state: sources.state.raised,
    organizations: sources.organizations.list,
    links: admin.links,
    tags: admin.tags,
  };
}

/** A value in words, for two people's versions side by side and for the history. */
export function wordsOf(value: unknown): string {
  if (isDoc(value)) return plainText(value);
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  if ('label' in value) return String(value.label);
  return Object.values(value).map(wordsOf).filter(Boolean).join(' ');
}
