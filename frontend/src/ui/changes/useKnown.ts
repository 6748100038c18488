import { useCampaignTagsQuery, useCategoriesQuery } from '../../api/content';
import { useLanguage } from '../../i18n';
import type { Known } from './useChangeWords';

/** All categories and tags in the page's language; changes have their ids only. `isRead`: they have come. */
export function useKnown(): Known & { isRead: boolean } {
  const language = useLanguage();
  const { data: categories } = useCategoriesQuery({ language });
  const { data: tags } = useCampaignTagsQuery({ language });
  return {
    categories: categories?.categories ?? [],
    tags: tags?.tags ?? [],
    isRead: categories !== undefined && tags !== undefined,
  };
}
