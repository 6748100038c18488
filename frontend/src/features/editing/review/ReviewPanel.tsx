import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignAdmin, ReviewChangesAnswer } from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
// Before CheckField, because chunks that share stylesheets have to import them in the same order.
import { NotesSection } from './NotesSection';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';
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
  /** What has changed since staff read it; undefined until it has come, and then nothing can be decided. */
  changes?: ReviewChangesAnswer;
  draft: ReviewDraft;
  opensAt?: string;
  /** Reads the campaign and its review again; done once they have been read. */
  onReload: () => Promise<void>;
}

/** The reviewer's panel: the server's checklist, the reviewer's own, notes, the decision, and the history. */
export function ReviewPanel({ admin, changes, draft, opensAt, onReload }: ReviewPanelProps) {
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
  // An approved campaign is taken back the same way, and one that is back in the queue decided about again.
  const isApproved = admin.stage === campaignStages.preparing;
  const isPublic = admin.stage > campaignStages.draft;
  const barred = review.barred ?? changes?.barred;
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
          {t(isAsked && isApproved ? 'review.changes.waits' : 'review.panel')}
        </h2>
        <p className={classes.small}>{isAsked && isApproved ? t('review.changes.waitsText') : stateWords}</p>
        {isPublic && changes ? (
          <ChangeCounts changes={changes} />
        ) : (
          <ServerChecklist items={review.checklist} />
        )}
        {isApproved && !isAsked && !barred && <p className={classes.small}>{t('review.takeBackNote')}</p>}
        {isPublic && !isApproved && <p className={classes.small}>{t('review.openPanel')}</p>}
        {(isAsked || isApproved) && barred && <p className={classes.own}>{t(`review.barred.${barred}`)}</p>}
        {(isAsked || isApproved) && changes && !barred && (
          <>
            {isAsked && !isApproved && (
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
            )}
            <NotesSection draft={draft} />
            <Decision admin={admin} changes={changes} draft={draft} opensAt={opensAt} onReload={onReload} />
          </>
        )}
        <SentNotes review={review} />
      </section>
      <HistoryList events={review.history} />
    </div>
  );
}

function ChangeCounts({ changes: { parts, answer_by } }: { changes: ReviewChangesAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const changed = parts.filter((part) => part.changed);
  if (changed.length === 0) return <p className={classes.small}>{t('review.changes.none')}</p>;
  const back = changed.filter(({ kind }) => kind === 'back_to_queue').length;
  return (
    <ul className={classes.server}>
      <li>
        <span className={classes.said}>{t('review.changes.backCount')}</span>
        <span className={classes.count}>{back}</span>
      </li>
      <li>
        <span className={classes.said}>{t('review.changes.seenCount')}</span>
        <span className={classes.count}>{changed.length - back}</span>
      </li>
      {answer_by && (
        <li>
          <span className={classes.said}>{t('review.changes.answerBy')}</span>
          <span className={classes.count}>{formatDay(language, answer_by)}</span>
        </li>
      )}
    </ul>
  );
}
