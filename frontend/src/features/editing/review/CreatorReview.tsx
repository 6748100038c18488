import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldError } from '../../../api/apiError';
import type { CampaignAdmin, ChecklistItem, ReviewedPart } from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { useNotify } from '../../../ui/notify';
import { TextButton } from '../../../ui/TextButton';
import { CreatorState } from './CreatorState';
import classes from './CreatorReview.module.css';
import { HistoryList } from './HistoryList';
import { currentNotes } from './currentNotes';
import { partName } from './partName';
import { useReviewSteps, type ReviewStepsOptions } from './useReviewSteps';

export interface CreatorReviewProps extends Omit<ReviewStepsOptions, 'campaignId'> {
  admin: CampaignAdmin;
  /** The parts of an approved campaign that staff look at again. */
  waiting?: readonly ReviewedPart[];
  /** Makes them what was approved. */
  onPutBack?: () => void;
}

const tones = { none: 'plain', requested: 'info', changes_requested: 'cloud', approved: 'spruce' } as const;

/** The review's state for the team, and its next step. The notes are shown at the parts of the page (PartNotes). */
export function CreatorReview({ admin, waiting = [], onPutBack, onMissing, ...steps }: CreatorReviewProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const { review } = admin;
  const approvedDays = waiting.find(({ part }) => part === 'dates')?.before as { first?: string } | undefined;
  const firstDay = approvedDays?.first ?? admin.settings.first_day_of_funding;
  const { failure, isAsking, isWithdrawing, ask, takeBack } = useReviewSteps({
    campaignId: admin.campaign_id,
    onMissing,
    ...steps,
  });
  const [isConfirming, setConfirming] = useState(false);
  const left =
    review.state === 'changes_requested' ? currentNotes(review).filter(({ mended }) => !mended) : [];
  const mayAsk =
    admin.stage === campaignStages.draft && (review.state === 'none' || review.state === 'changes_requested');
  const isWithdrawn = review.state === 'none' && review.history[0]?.event === 'withdrawn';
  const isBack = review.state === 'requested' && admin.stage === campaignStages.preparing;
  const missing = missingItems(failure?.fields, review.checklist);

  return (
    <section className={classes.root} aria-label={t('review.creator.title')}>
      <div className={classes.head}>
        <h2>{t('review.creator.title')}</h2>
        {(review.state !== 'none' || isWithdrawn) && (
          <Chip tone={tones[review.state]}>
            {isWithdrawn && t('review.creator.withdrawn')}
            {review.state === 'requested' &&
              t(isBack ? 'review.creator.back' : 'review.creator.requestedTitle')}
            {review.state === 'changes_requested' && t('review.creator.changes')}
            {review.state === 'approved' && t('review.creator.approved')}
          </Chip>
        )}
      </div>
      <p>
        {isBack && waiting.length > 0 && review.answer_by ? (
          t('review.creator.backText', {
            parts: waiting.map(({ part }) => partName(t, part)).join(', '),
            day: formatDay(language, review.answer_by),
          })
        ) : (
          <CreatorState admin={admin} />
        )}
      </p>
      {isBack && waiting.length > 0 && onPutBack && (
        <>
          <Button variant="outline" size="sm" onClick={onPutBack}>
            {t('review.creator.undo')}
          </Button>
          {firstDay && <p>{t('review.creator.undoText', { day: formatDay(language, firstDay) })}</p>}
        </>
      )}
      {left.length > 0 && <p className={classes.left}>{t('review.creator.left', { count: left.length })}</p>}
      {mayAsk && (
        <Button fullWidth loading={isAsking} onClick={() => void ask()}>
          {t(review.state === 'none' ? 'review.creator.request' : 'review.creator.again')}
        </Button>
      )}
      {review.state === 'requested' && !isBack && (
        <Button variant="outline" size="sm" loading={isWithdrawing} onClick={() => setConfirming(true)}>
          {t('review.creator.withdraw')}
        </Button>
      )}
      <div role="alert" className={classes.failure}>
        {failure && errorText(failure, 'CreatorReview')}
      </div>
      {missing.length > 0 && (
        <ul aria-label={t('review.creator.missing')} className={classes.missing}>
          {missing.map(({ key }) => (
            <li key={key}>
              <TextButton look="inline" onPress={() => onMissing(key)}>
                {t(`review.checks.${key}`)}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      <HistoryList events={review.history} />
      <ConfirmDialog
        isOpen={isConfirming}
        title={t('review.creator.withdrawTitle')}
        confirmLabel={t('review.creator.withdraw')}
        cancelLabel={t('review.creator.stay')}
        isDestructive={false}
        isConfirming={isWithdrawing}
        onCancel={() => setConfirming(false)}
        onConfirm={() =>
          void takeBack().then((isBack) => {
            setConfirming(false);
            if (isBack) notify({ tone: 'success', title: t('review.creator.withdrawn') });
          })
        }
      >
        {t('review.creator.withdrawText')}
      </ConfirmDialog>
    </section>
  );
}

/** The checklist items that the server named as missing, without those that have been completed since. */
function missingItems(
  fields: readonly FieldError[] | undefined,
  checklist: readonly ChecklistItem[],
): readonly ChecklistItem[] {
  return checklist.filter(({ key, done }) => !done && fields?.some(({ path }) => path === key));
}
