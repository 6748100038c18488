import { useTranslation } from 'react-i18next';
import type { PostPreview } from '../api/editing';
import { useLanguage } from '../i18n';
import { formatDateTime } from '../i18n/format';

/** The most characters of a text that stand for its title. */
const longest = 60;

/** Returns a function that names an update in a list: an untitled draft by how it begins, an empty one by when it was left. */
export function usePostName() {
  const { t } = useTranslation();
  const language = useLanguage();
  return ({ title, intro, updated_at }: Pick<PostPreview, 'title' | 'intro' | 'updated_at'>): string =>
    title ||
    beginning(intro) ||
    (updated_at
      ? t('campaignPage.untitledAt', { time: formatDateTime(language, updated_at) })
      : t('campaignPage.untitled'));
}

function beginning(text: string): string {
  if (text.length <= longest) return text;
  const whole = text.slice(0, longest).replace(/\s+\S*$/u, '');
  return `${whole}…`;
}
