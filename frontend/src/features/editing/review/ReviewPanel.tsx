import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignAdmin } from '../../../api/editing';
// Before CheckField, because chunks that share stylesheets have to import them in the same order.
import { NotesSection } from './NotesSection';
import { CheckField } from '../../../ui/CheckField';
import { CreatorState } from './CreatorState';
import { Decision } from './Decision';
import { HistoryList } from './HistoryList';
import classes from './panel.module.css';
import { SentNotes } from './SentNotes';
import { ServerChecklist } from './ServerChecklist';
import { ticks, type ReviewDraft } from './useReviewDraft';

export interface ReviewPanelProps {
  admin: CampaignAdmin;
  draft: ReviewDraft;
  opensAt?: string;
  onReload: () => void;
}

/** The reviewer's panel: the server's checklist, the reviewer's own, notes, the decision, and the history. */
export function ReviewPanel({ admin, draft, opensAt, onReload }: ReviewPanelProps) {
  const { t } = useTranslation();
  const { review } = admin;
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(review.state);
  // The decision removes its buttons; the focus moves to the panel's heading instead of being lost.
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
        <ServerChecklist items={review.checklist} />
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
