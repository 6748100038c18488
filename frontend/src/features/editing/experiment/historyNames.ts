import { useTranslation } from 'react-i18next';
import { languageNames } from '../languageNames';
import { ofLanguage } from '../partNames';

const names = {
  title: 'experimentEdit.part.title',
  short_description: 'experimentEdit.part.short_description',
  json_description: 'experimentEdit.part.story',
  image_alt: 'experimentEdit.part.image_alt',
  results: 'experimentEdit.part.results',
  adoption: 'experimentEdit.part.adoption',
  image: 'experimentEdit.picture',
  stage: 'experimentEdit.stage.title',
  goal: 'experimentEdit.funding.goal',
  currency: 'experimentEdit.funding.currency',
  'sources.state.raised': 'experimentEdit.funding.state',
  'sources.organizations.list': 'experimentEdit.funding.organizations',
  'sources.organizations.raised': 'experimentEdit.funding.organizations',
  'sources.crowd.campaign_id': 'experimentEdit.funding.crowd',
  'sources.crowd.raised': 'experimentEdit.funding.crowd',
  show_in: 'experimentEdit.showIn.title',
  language: 'experimentEdit.language.title',
  team: 'experimentEdit.team.title',
  links: 'experimentEdit.links.title',
  tags: 'experimentEdit.tags.title',
  disabled: 'experimentEdit.off.title',
} as const;

/** Returns a function that names a field of the history or of a conflict, such as "Title · Suomi". */
export function useFieldName() {
  const { t } = useTranslation();
  return (path: string): string => {
    if (path.startsWith('geographic_location')) return t('experimentEdit.where.title');
    const text = ofLanguage(path.replace('.custom_language.', '.'));
    const field = text?.field ?? path;
    const name =
      field in names ? t(names[field as keyof typeof names]) : t('editing.campaign.history.settings');
    return text ? `${name} · ${languageNames[text.language]}` : name;
  };
}
