import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignAdmin } from '../../../api/editing';
// Before CheckField: pages that share stylesheets have to load them in one order.
import { NotesSection } from './NotesSection';
import { CheckField } from '../../../ui/CheckField';
import { CreatorState } from './CreatorState';
import { Decision } from './Decision';
import { HistoryList } from './HistoryList';
import classes from './panel.module.css';
import { SentNotes } from './SentNotes';
import { ServerList } from './ServerList';
import { ticks, type ReviewDraft } from './useReviewDraft';

export interface ReviewPanelProps {
  admin: CampaignAdmin;
  draft: ReviewDraft;
  opensAt?: string;
  onReload: () => void;
}

/** Where a reviewer judges: what the server sees, what only a person can, notes, the decision, and what was before. */
export function ReviewPanel({ admin, draft, opensAt, onReload }: ReviewPanelProps) {
  const { t } = useTranslation();
  const { review } = admin;
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(review.state);
  // The buttons of a decision go away with it; the focus stays in the panel, at what it says now.
  useEffect(() => {
    if (before.current !== review.state) title.current?.focus();
    before.current = review.state;
  }, [review.state]);
  const isAsked = review.state === 'requested';
  const isSentBack = review.state === 'changes_requested';
  const stateWords = isAsked ? (
    t('review.for')
  ) : isSentBack ? (
    t('review.sentBack')
  ) : (
    <CreatorState admin={admin} />
  );
  return (
    <div>
      <section className={classes.panel} aria-label={t('review.panel')}>
        <h2 ref={title} id="review-panel" tabIndex={-1}>
          {t('review.panel')}
        </h2>
        <p className={classes.small}>{stateWords}</p>
        <ServerList items={review.checklist} />
        {isAsked && review.barred && <p className={classes.own}>{t(`review.barred.${review.barred}`)}</p>}
        {isAsked && !review.barred && (
          <>
            <section aria-label={t('review.judge')}>
              <h3>{t('review.judge')}</h3>
              <ul className={classes.ticks}>
                {ticks.map((tick) => (
                  <li key={tick}>
                    <CheckField
                      label={t(`review.ticks.${tick}`)}
                      isChecked={draft.ticks.includes(tick)}
                      onChange={(isTicked) => draft.tick(tick, isTicked)}
                    />
                  </li>
                ))}
              </ul>
            </section>
            <NotesSection draft={draft} />
            <Decision admin={admin} draft={draft} opensAt={opensAt} onReload={onReload} />
          </>
        )}
        <SentNotes review={review} />
      </section>
      <HistoryList events={review.history} />
    </div>
  );
}
