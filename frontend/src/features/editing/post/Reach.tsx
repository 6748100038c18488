import { useTranslation } from 'react-i18next';
import type { PostAdmin } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';

export interface ReachProps {
  post: PostAdmin;
  /** As it is chosen here; 0 is everyone, 1 any backer, more is backers from that sum in euros. */
  level: number;
}

/** Who reads what of a post at its level, in plain words. */
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
