import type {
  CampaignAdmin,
  CampaignMetaChange,
  CampaignSettingsChange,
  PartKind,
  Tag,
} from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { ofLanguage } from '../partNames';
import { docOf, type Doc } from '../richText/document';

/** Plain texts, which each language has. */
export type WordField = 'title' | 'tagline' | 'short_description' | 'about_creator' | 'match_funding';
/** Fields of PATCH /campaigns/{id}/settings/ that are saved automatically. */
export type SettingField =
  | 'min_goal'
  | 'target_goal'
  | 'funding_rule'
  | 'first_day_of_funding'
  | 'last_day_of_funding'
  | 'place'
  | 'contact_email'
  | 'legal_creator';
/** Fields of PATCH /campaigns/{id}/meta/. */
export type MetaField = keyof CampaignMetaChange;

type Words = Record<`${Language}.${WordField}`, string>;
type Stories = Record<`${Language}.json_description`, Doc>;
type Settings = Required<Pick<CampaignSettingsChange, SettingField>>;

/** The values of a campaign that are saved one by one. Named as in the change history, such as fi.title or min_goal. */
export type CampaignParts = Words &
  Stories &
  Settings &
  Required<CampaignMetaChange> & { categories: number[]; tags: Tag[] };

/** The name of a part, such as fi.title. */
export type PartName = keyof CampaignParts;

/** All of SettingField, to tell them apart from MetaField. */
export const settingFields: readonly SettingField[] = [
  'min_goal',
  'target_goal',
  'funding_rule',
  'first_day_of_funding',
  'last_day_of_funding',
  'place',
  'contact_email',
  'legal_creator',
];

/** The greatest length of each text, in characters; the contract's bounds. */
export const maxLengths: Readonly<Record<WordField, number>> = {
  title: 60,
  tagline: 140,
  short_description: 400,
  about_creator: 1_000,
  match_funding: 4_000,
};

/** What becomes of a change of a part now, by the server's table. */
export function kindOf(admin: Pick<CampaignAdmin, 'parts'>, name: string): PartKind {
  return partWith(admin, name)?.kind ?? 'free';
}

/** The row of the server's table that has a part. */
export function partWith({ parts }: Pick<CampaignAdmin, 'parts'>, name: string) {
  const text = ofLanguage(name);
  const field = text?.field === 'match_funding' ? 'custom_language' : (text?.field ?? name);
  return parts.find(({ fields }) => fields.includes(field));
}

/** The parts of a campaign, from the server's response. */
export function partsOf(admin: CampaignAdmin): CampaignParts {
  const words = languages.flatMap((language) => {
    const texts = admin.texts[language];
    return [
      [`${language}.title`, texts?.title ?? ''],
      [`${language}.tagline`, texts?.tagline ?? ''],
      [`${language}.short_description`, texts?.short_description ?? ''],
      [`${language}.about_creator`, texts?.about_creator ?? ''],
      [`${language}.json_description`, docOf(texts?.json_description)],
      [`${language}.match_funding`, admin.custom_language[language]?.match_funding?.value ?? ''],
    ];
  });
  const { settings, meta } = admin;
  return {
    ...(Object.fromEntries(words) as Words & Stories),
    min_goal: admin.min_goal,
    target_goal: admin.target_goal,
    funding_rule: admin.funding_rule,
    first_day_of_funding: settings.first_day_of_funding ?? '',
    last_day_of_funding: settings.last_day_of_funding ?? '',
    place: admin.place,
    contact_email: settings.contact_email,
    legal_creator: settings.legal_creator ?? '',
    external_link_1: meta.external_link_1 ?? '',
    hideFundingAmount: meta.hideFundingAmount,
    hideMemberCount: meta.hideMemberCount,
    legal_creator_type: (meta.legal_creator_type ?? '') as CampaignParts['legal_creator_type'],
    categories: admin.categories,
    tags: admin.tags,
  };
}
