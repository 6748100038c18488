import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { isApiError, type ApiError } from '../../../api/apiError';
import {
  useDecideReviewMutation,
  type CampaignAdmin,
  type ReviewChangesAnswer,
  type ReviewDecision,
} from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { useNotify } from '../../../ui/notify';
import { TextButton } from '../../../ui/TextButton';
import { failureOf } from '../../../ui/saving/failures';
import classes from './panel.module.css';
import { maxNotes, type ReviewDraft } from './useReviewDraft';

export interface DecisionProps {
  admin: CampaignAdmin;
  /** What the decision is about. */
  changes: ReviewChangesAnswer;
  draft: ReviewDraft;
  /** RFC 3339: the beginning of the first day of funding, if the campaign names one. */
  opensAt?: string;
  /** Reads the campaign and its review again; done once they have been read. */
  onReload: () => Promise<void>;
}

/** Asks for changes with the notes, or approves. The draft of the notes is deleted only after the server has them. */
export function Decision({ admin, changes, draft, opensAt, onReload }: DecisionProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const notify = useNotify();
  const [decide] = useDecideReviewMutation();
  // Until what has become of the campaign is shown: nobody may decide twice.
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<ReviewDecision['decision']>();
  const [problem, setProblem] = useState<'askNeeds' | 'unkept' | 'tooMany' | ApiError>();
  const { notes, open } = draft;

  const stops = (decision: ReviewDecision['decision']) => {
    if (open?.text.trim()) return 'unkept';
    if (notes.length > maxNotes) return 'tooMany';
    return decision === 'ask_for_changes' && notes.length === 0 ? 'askNeeds' : undefined;
  };
  const [isUnticked, setUnticked] = useState(false);
  const isDraft = admin.stage === campaignStages.draft;
  const isWaiting = admin.review.state === 'requested';
  /** Asks first when the reviewer has not ticked anything of their own list. */
  const approve = () => {
    if (isDraft && draft.ticks.length === 0 && !stops('approve')) setUnticked(true);
    else void press('approve');
  };
  const press = async (decision: ReviewDecision['decision']) => {
    const stop = stops(decision);
    if (stop) {
      setProblem(stop);
      return;
    }
    setProblem(undefined);
    setSent(decision);
    setBusy(true);
    const reviewDecision = {
      decision,
      seen: Object.fromEntries(changes.parts.map(({ part, digest }) => [part, digest])),
      notes: notes.map((note) => ({ ...note, quote: note.quote || undefined })),
    };
    const { error } = await decide({ campaignId: admin.campaign_id, reviewDecision });
    if (error) {
      // The page then shows what is missing, or what has changed.
      if (isApiError(error) && (error.status === 'not_ready' || error.status === 'reviewed_meanwhile'))
        await onReload();
      setBusy(false);
      setProblem(failureOf(error));
      return;
    }
    draft.forget();
    await onReload();
    setBusy(false);
    notify({
      tone: 'success',
      title: t(decision === 'approve' ? 'review.approvedNow' : 'review.sentBack'),
      text: t('review.decidedText'),
    });
  };

  const hasNotes = notes.length > 0;
  const isMoved = typeof problem === 'object' && problem.status === 'review_moved';
  return (
    <div className={classes.decide}>
      <Button
        fullWidth
        variant={hasNotes ? 'filled' : 'outline'}
        loading={isBusy && sent === 'ask_for_changes'}
        disabled={isBusy}
        onClick={() => void press('ask_for_changes')}
      >
        {hasNotes ? t('review.ask', { count: notes.length }) : t('review.askNone')}
      </Button>
      {isWaiting && (
        <Button
          fullWidth
          variant={hasNotes ? 'outline' : 'filled'}
          loading={isBusy && sent === 'approve'}
          disabled={isBusy}
          onClick={approve}
        >
          {isDraft ? t('review.approve') : t('review.changes.approveVersion', { version: changes.version })}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isUnticked}
        title={t('review.untickedTitle')}
        confirmLabel={t('review.untickedConfirm')}
        cancelLabel={t('review.untickedStay')}
        isDestructive={false}
        isConfirming={isBusy}
        onCancel={() => setUnticked(false)}
        onConfirm={() => {
          setUnticked(false);
          void press('approve');
        }}
      >
        {t('review.unticked')}
      </ConfirmDialog>
      <div role="alert" className={classes.problem}>
        {typeof problem === 'string' && t(`review.${problem}`)}
        {typeof problem === 'object' && errorText(problem, 'Decision')}
        {typeof problem === 'object' && problem.status === 'not_ready' && (
          <ul>
            {admin.review.checklist
              .filter(({ needed, done }) => needed && !done)
              .map(({ key }) => (
                <li key={key}>{t(`review.checks.${key}`)}</li>
              ))}
          </ul>
        )}
      </div>
      {isMoved && (
        <TextButton look="inline" onPress={() => void onReload()}>
          {t('review.moved')}
        </TextButton>
      )}
      <p className={classes.small}>
        {!isDraft && isWaiting && t('review.changes.counts', { version: changes.version })} {t('review.then')}{' '}
        {isWaiting && <Opening at={opensAt} />}
      </p>
    </div>
  );
}

function Opening({ at }: { at?: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isAhead = at !== undefined && new Date(at).getTime() > dispatch(readNow());
  return isAhead ? t('review.thenOpens', { day: formatDay(language, at) }) : t('review.thenAtOnce');
}
