import { useTranslation } from 'react-i18next';
import { campaignStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney } from '../../../i18n/format';
import { plainText } from '../richText/document';
import { isDoc } from '../partNames';
import type { Taxonomy } from './restore';

/** The text keys of field names, by the field or, for a text such as fi.title, by its part after the language. */
const names = {
  title: 'editing.campaign.part.title',
  tagline: 'editing.campaign.part.tagline',
  short_description: 'editing.campaign.part.short_description',
  about_creator: 'editing.campaign.part.about_creator',
  match_funding: 'editing.campaign.part.match_funding',
  json_description: 'editing.campaign.part.story',
  place: 'editing.campaign.part.place',
  contact_email: 'editing.campaign.part.contact_email',
  legal_creator: 'editing.campaign.part.legal_creator',
  legal_creator_type: 'editing.campaign.contact.type',
  external_link_1: 'editing.campaign.part.external_link_1',
  min_goal: 'editing.campaign.part.min_goal',
  target_goal: 'editing.campaign.part.target_goal',
  funding_rule: 'editing.campaign.money.rule',
  first_day_of_funding: 'editing.campaign.part.first_day_of_funding',
  last_day_of_funding: 'editing.campaign.part.last_day_of_funding',
  hideFundingAmount: 'editing.campaign.part.hideFundingAmount',
  hideMemberCount: 'editing.campaign.part.hideMemberCount',
  categories: 'editing.campaign.history.categories',
  tags: 'editing.campaign.sorting.tags',
  project_pic: 'editing.pictures.cover',
  project_pic_alt: 'editing.pictures.alt',
  creator_pic: 'editing.pictures.creator',
  video_url: 'editing.video.address',
  subscriptions_goals: 'editing.campaign.goals.title',
  content_variations: 'editing.campaign.history.variations',
  team: 'editing.campaign.team.title',
  review: 'review.creator.title',
  stage: 'editing.campaign.history.stage',
} as const;

/** The text key of a field's name; undefined if it has none. */
export const nameOf = (field: string): (typeof names)[keyof typeof names] | undefined =>
  field in names ? names[field as keyof typeof names] : undefined;

const rules = ['all_or_nothing', 'keep_what_is_raised'] as const;
const reviewWords = {
  requested: 'review.creator.requestedTitle',
  changes_requested: 'review.creator.changes',
  approved: 'review.creator.approved',
} as const;
const types = ['person', 'association', 'company'] as const;

/** Returns a function that formats a value of the history as the page shows it; empty if it has no text form. */
export function useValueText(taxonomy: Taxonomy) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (path: string, value: unknown): string => {
    if (path === 'min_goal' || path === 'target_goal')
      return formatMoney(language, Number(value), { cents: !Number.isInteger(Number(value)) });
    if (path.endsWith('_day_of_funding')) return formatDate(language, String(value));
    const rule = rules.find((one) => path === 'funding_rule' && one === value);
    if (rule) return t(`editing.campaign.money.${rule}`);
    const type = types.find((one) => path === 'legal_creator_type' && one === value);
    if (type) return t(`editing.campaign.contact.${type}`);
    if (path === 'stage') {
      const stage = campaignStageName(Number(value));
      return stage ? t(`stage.${stage}`) : '';
    }
    if (path === 'review') {
      const state = Object.keys(reviewWords).find((one): one is keyof typeof reviewWords => one === value);
      return state ? t(reviewWords[state]) : '';
    }
    if (typeof value === 'boolean')
      return t(value ? 'editing.campaign.history.on' : 'editing.campaign.history.off');
    if ((path === 'categories' || path === 'tags') && Array.isArray(value))
      return taxonomy[path]
        .filter(({ id }) => value.includes(id))
        .map(({ label }) => label)
        .join(', ');
    if (isDoc(value)) return plainText(value);
    return typeof value === 'string' ? value : '';
  };
}
