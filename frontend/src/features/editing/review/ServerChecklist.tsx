import { useTranslation } from 'react-i18next';
import type { ChecklistItem } from '../../../api/editing';
import { languages } from '../../../domain/languages';
import { AlertTriangleIcon, CircleCheckIcon } from '../../../ui/icons';
import classes from './panel.module.css';

/** The server's checklist. It has icons instead of checkboxes, because nobody ticks these items. */
export function ServerChecklist({ items }: { items: readonly ChecklistItem[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.server}>
      {items.map((item) => (
        <li key={item.key} data-done={item.done ? true : undefined}>
          {item.done ? <CircleCheckIcon size={20} /> : <AlertTriangleIcon size={20} />}
          <span className={classes.said}>
            <Words item={item} />
            <span className="tk-visually-hidden">: {t(item.done ? 'review.done' : 'review.missing')}</span>
          </span>
          <span className={classes.count}>
            {item.behind_days
              ? t('review.days', { count: item.behind_days })
              : item.of
                ? t('review.place', { place: item.have ?? 0, total: item.of })
                : !item.done && !item.needed && t('review.advice')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Words({ item }: { item: ChecklistItem }) {
  const { t } = useTranslation();
  const language = languages.find((one) => one === item.language);
  if (item.done || !language) return t(`review.checks.${item.key}`);
  return t(`review.${item.behind_days ? 'older' : 'lacks'}.${language}`);
}
