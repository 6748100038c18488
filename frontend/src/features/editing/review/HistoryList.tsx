import { useTranslation } from 'react-i18next';
import type { ReviewEvent } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';
import classes from './panel.module.css';

/** The earlier requests and decisions of a review, latest first. */
export function HistoryList({ events }: { events: readonly ReviewEvent[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (events.length === 0) return null;
  return (
    <section aria-label={t('review.history')} className={classes.history}>
      <h2>{t('review.history')}</h2>
      <ol>
        {events.map(({ at, by, event, notes = 0, mended }) => (
          <li key={`${at}-${event}`}>
            <time dateTime={at}>{formatDay(language, at)}</time>
            <span className={classes.said}>{t(`review.events.${event}`, { who: by })}</span>
            {notes > 0 && (
              <span className={classes.count}>
                {event === 'requested'
                  ? t('review.mendedOf', { mended: mended ?? 0, count: notes })
                  : t('review.count', { count: notes })}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
