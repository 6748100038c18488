import { useTranslation } from 'react-i18next';
import type { PostAdmin } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';

export interface ReachProps {
  post: PostAdmin;
  /** The chosen level: 0 is everyone, 1 all backers, more is backers who gave at least so many euros. */
  level: number;
}

/** Says who can read the whole post at a level, and what others see. */
export function Reach({ post, level }: ReachProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (level === 0) return t('editing.post.reach.everyone');
  const count = post.readers.find((row) => row.level === level)?.readers ?? 0;
  const whole =
    level === 1
      ? t('editing.post.reach.backers', { count })
      : t('editing.post.reach.from', { count, amount: formatMoney(language, level, { cents: false }) });
  return `${whole} ${t('editing.post.reach.others')}`;
}
