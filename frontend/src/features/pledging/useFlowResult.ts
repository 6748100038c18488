import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Reward } from '../../api/content';
import { readNow } from '../../api/extra';
import { paths, type Named } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { platformDay } from '../../i18n/format';
import { showNow } from '../../api/readAnew';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useErrorText } from '../../i18n/errorText';
import { useNotify } from '../../ui/notify';
import { failureText } from './failureText';
import { isAboutReward, isQuestion, ownFailure, statusOfReturn, type Failure } from './flow/failures';
import type { FlowState } from './flow/machine';
import { nextStepOf } from './flow/nextSteps';
import { asFormErrors } from './form/serverErrors';
import { type PledgeForm } from './form/values';
import { outcomeIn } from './returning/outcome';
import { forgetDraft, keepPledge } from './storage';
import type { Flow } from './useFlow';

export interface FlowResultOptions {
  flow: Flow;
  form: PledgeForm;
  campaign: Named;
  isMonthly: boolean;
  reward: Reward | undefined;
  lastName: string;
  reloadRewards: () => Promise<{ isSuccess: boolean }>;
  /** The chosen reward cannot be had any more. isClosed: not because it ran out. */
  onRewardRefused: (isClosed: boolean) => void;
  /** The rewards have been read again after a refusal. */
  onRewardsRead: () => void;
  /** The text that says why nothing was paid, where it is shown. */
  reason: RefObject<HTMLElement | null>;
}

/** Notices about the payment replace each other. */
const topic = 'payment';

/** Reacts to the result of a submission: goes to the thanks page, or shows at the form why it failed. */
export function useFlowResult(options: FlowResultOptions): void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const location = useLocation();
  const { state, report } = options.flow;
  const wasFailureShown = useRef(false);

  const latest = useRef({ ...options, onStateChange });
  useEffect(() => {
    latest.current = { ...options, onStateChange };
  });
  useEffect(() => latest.current.onStateChange(state), [state]);

  // After a return from the hosted page, the navigation state has the reason why nothing was paid.
  const notPaid = outcomeIn(location.state)?.notPaid;
  useEffect(() => {
    if (!notPaid || notPaid === 'canceled') return;
    report({ type: 'failed', failure: ownFailure(statusOfReturn(notPaid)) });
  }, [notPaid, report]);

  function onStateChange(current: FlowState) {
    if (current.name === 'succeeded' || current.name === 'settingUp' || current.name === 'openingPage') {
      keepPledge({
        pledgeId: current.pledgeId,
        campaignId: options.campaign.id,
        last_name: options.lastName.trim(),
        isSent: current.name === 'succeeded',
      });
    }
    if (current.name === 'succeeded') {
      options.flow.submissions.paid(current.pledgeId, dispatch(readNow()));
      forgetDraft(options.campaign.id);
      if (current.earlier) {
        notify({
          tone: current.earlier === 'paid' ? 'info' : 'waiting',
          title: t(`thanks.status.${current.earlier}`),
          text: t('pledge.earlierCame'),
          isAboutMoney: true,
          topic,
        });
      }
      // Replaces the notice of an earlier refusal.
      else if (wasFailureShown.current) notify({ tone: 'success', title: t('thanks.status.paid'), topic });
      const { campaign, isMonthly } = options;
      if (current.isDebit) {
        const day = platformDay(dispatch(readNow()));
        void navigate(paths.returnOf(language, current.pledgeId, day), { replace: true });
        return;
      }
      const thanks = isMonthly ? paths.subscriptionSuccess : paths.thanks;
      void navigate(thanks(language, campaign), { replace: true });
    }
    if (current.name === 'awaitingCard' || current.name === 'failed') showFailure(current.failure);
  }

  async function readRewards() {
    const { isSuccess } = await latest.current.reloadRewards();
    // What was refused is not offered as it was before that.
    dispatch(showNow);
    if (isSuccess) latest.current.onRewardsRead();
  }

  function showFailure(failure: Failure) {
    if (isQuestion(failure.error)) return;
    const { form, reward } = latest.current;
    const text = failureText(failure, t, errorText);
    if (isAboutReward(failure)) void readRewards();
    if (failure.at === 'account' && !failure.error.fields?.length) {
      form.setError('password', text);
      form.focusField('password');
      return;
    }
    const fields = failure.error.fields ?? [];
    const elsewhere = form.showFieldErrors(asFormErrors(fields, reward));
    if (fields.length > 0 && elsewhere.length === 0) return;
    const { focus } = nextStepOf(failure.error);
    switch (focus) {
      case 'reward':
        latest.current.onRewardRefused(failure.error.status === 'reward_closed');
        return;
      case 'quantity':
        form.setError('quantity', text);
        form.focusField('quantity');
        return;
      case 'card':
        latest.current.flow.card.current?.focus();
        // It is below the fields, which are as high as a small screen.
        latest.current.reason.current?.scrollIntoView({ block: 'nearest' });
        break;
      case 'method':
        latest.current.form.focusField('bank_account');
        return;
      case undefined:
        break;
      default:
        return focus satisfies never;
    }
    if (isInView(latest.current.reason.current)) return;
    notify({ tone: 'error', title: t('pledge.notPaid'), text, isAboutMoney: true, topic });
    wasFailureShown.current = true;
  }
}

/** Whether any of an element is on the screen. */
function isInView(element: HTMLElement | null): boolean {
  const place = element?.getBoundingClientRect();
  return place !== undefined && place.bottom >= 0 && place.top <= window.innerHeight;
}
