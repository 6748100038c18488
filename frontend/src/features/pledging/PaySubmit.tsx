import { Button } from '../../ui/Button';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Campaign, Reward } from '../../api/content';
import { limitRefusal } from '../../api/limitRefusal';
import { paths } from '../../domain/paths';
import { isRecurring } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { moneyTexts } from '../../i18n/moneyTexts';
import { OverLimit } from '../../ui/limit/OverLimit';
import type { Failure } from './flow/failures';
import { isBusy, type FlowState } from './flow/machine';
import { ErrorSummary } from './ErrorSummary';
import { failureIn, isQuestion } from './flow/failures';
import { nextStepOf } from './flow/nextSteps';
import type { Method } from './methods';
import type { PledgeForm } from './form/values';
import { methods } from './methods';
import type { PayWords } from './payWords';
import { offeredOf, type Offered } from './useOffered';
import classes from './PaySubmit.module.css';
import { PayProgress } from './PayProgress';
import { Reason } from './Reason';
import { outcomeIn } from './returning/outcome';
import type { WaysOn } from './useWaysOn';
import { NoFunds } from './NoFunds';

export interface PaySubmitProps {
  campaign: Campaign;
  form: PledgeForm;
  reward: Reward | undefined;
  /** The creator has changed the reward since it was chosen. */
  isRewardChanged: boolean;
  state: FlowState;
  /** Everything that paying needs is loaded. */
  isReady: boolean;
  /** Something that paying needs could not be loaded and is being retried. */
  hasLoadFailed: boolean;
  /** Formatted; undefined until there is one. */
  sum: string | undefined;
  words: PayWords;
  offered: Offered;
  button: RefObject<HTMLButtonElement | null>;
  /** The text that says why nothing was paid, wherever it is. */
  reason: RefObject<HTMLElement | null>;
  /** Instead of a higher spending limit, another amount is to be chosen. */
  onOtherAmount: () => void;
  /** What helps where the same press does not. */
  ways: WaysOn | undefined;
}

/** The pay button with the sum, the errors above it, and the progress of the submission. */
export function PaySubmit({
  campaign,
  form,
  reward,
  isRewardChanged,
  state,
  isReady,
  hasLoadFailed,
  sum,
  words,
  offered,
  button,
  reason,
  onOtherAmount,
  ways,
}: PaySubmitProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isMonthly = isRecurring(campaign.stage);
  const wasCanceled = outcomeIn(useLocation().state)?.notPaid === 'canceled' && state.name === 'idle';
  const failure = failureIn(state);
  // Errors at fields are listed with links instead (ErrorSummary).
  const asked = useAsked(state, failure, sum);
  const next = nextStepOf(failure?.error);
  // What is done elsewhere is said there.
  const isInline =
    failure !== undefined && !isQuestion(failure.error) && form.errors.length === 0 && !next.focus;
  const isOtherWay = (method: Method) =>
    form.values.method !== method && offeredOf(offered, method) !== undefined;
  const payAgain = usePayAgain(button, isBusy(state));
  useRestoredFocus(button, isBusy(state));
  useFocusOnReason(reason, isInline ? failure : wasCanceled, isReady);
  return (
    <div className={classes.root}>
      {form.errors.length > 0 && <ErrorSummary form={form} reward={reward} />}
      {isInline && !next.ways && <Reason ref={reason} failure={failure} isMonthly={isMonthly} />}
      {isInline && next.method && !isMonthly && isOtherWay(next.method) && (
        <OtherMethod method={next.method} form={form} />
      )}
      {asked && (
        <OverLimit
          exceeded={asked}
          onRaised={payAgain}
          paying={sum}
          leaveLabel={t('spendingLimit.otherAmount')}
          onLeave={onOtherAmount}
        />
      )}
      {isRewardChanged && (
        <p className={classes.note} role="status">
          {t('pledge.rewardChanged')} {sum !== undefined && t('pledge.sumIsNow', { sum })}
        </p>
      )}
      {wasCanceled && (
        <p ref={reason as RefObject<HTMLParagraphElement>} tabIndex={-1} className={classes.note}>
          {t('pledge.canceled')}
        </p>
      )}
      <PayProgress state={state} isMonthly={isMonthly} isReady={isReady} hasLoadFailed={hasLoadFailed} />
      {ways && sum !== undefined ? (
        <NoFunds
          sum={sum}
          hasPage={offeredOf(offered, 'page') !== undefined}
          isMonthly={isMonthly}
          {...ways}
          reason={reason}
          button={button}
        />
      ) : (
        <Button
          ref={button}
          type={words.isUnchosen ? 'button' : 'submit'}
          onClick={words.isUnchosen ? () => form.focusField('method') : undefined}
          // The box above has the button that stands out.
          variant={asked ? 'outline' : 'filled'}
          size="xl"
          fullWidth
          loading={isBusy(state)}
          disabled={!isReady}
        >
          {next.label && state.name === 'awaitingCard' ? t(`pledge.next.${next.label}`) : words.button(sum)}
        </Button>
      )}
      <p className={classes.terms}>
        <Trans
          i18nKey={moneyTexts(campaign, { t, language, hasReward: reward !== undefined }).terms}
          components={{ terms: <Link to={paths.info(language, 'terms')} target="_blank" rel="noreferrer" /> }}
        />
      </p>
    </div>
  );
}

/** The other way to pay, when this one is not available. */
function OtherMethod({ method, form }: { method: Method; form: PledgeForm }) {
  const { t } = useTranslation();
  return (
    <Button variant="light" fullWidth onClick={() => form.setValue('method', method)}>
      {t(methods[method].instead)}
    </Button>
  );
}

/** What the spending limit refused. It stays asked while the same is paid again; its figures are of one sum only. */
function useAsked(state: FlowState, failure: Failure | undefined, sum: string | undefined) {
  const [last, setLast] = useState<{ failure: Failure; sum: string | undefined }>();
  const refused = limitRefusal(failure?.error) ? failure : undefined;
  const asked = refused ?? (isBusy(state) ? last?.failure : undefined);
  if (asked !== last?.failure) setLast(asked && { failure: asked, sum });
  return last && last.sum === sum ? limitRefusal(asked?.error) : undefined;
}

/** Presses Pay again: the same content pays what was made already. Resolves when that submission is over. */
function usePayAgain(button: PaySubmitProps['button'], isRunning: boolean) {
  const over = useRef<() => void>(undefined);
  useEffect(() => {
    if (!isRunning) over.current?.();
  });
  return () =>
    new Promise<void>((resolve) => {
      over.current = resolve;
      button.current?.form?.requestSubmit();
    });
}

/** The button is disabled while it loads and loses the focus. Returns the focus afterwards, unless a field has it. */
function useRestoredFocus(button: PaySubmitProps['button'], isRunning: boolean) {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
    wasRunning.current = isRunning;
  }, [button, isRunning]);
}

/**
 * Focuses the reason why nothing was paid and scrolls to it, because on phones it is several screens below the top.
 * Scrolls again when the card form has loaded above it, unless the focus has moved on.
 */
function useFocusOnReason(element: RefObject<HTMLElement | null>, reason: unknown, isReady: boolean) {
  useEffect(() => {
    if (!reason) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'center' });
  }, [element, reason]);
  useEffect(() => {
    if (isReady && element.current && document.activeElement === element.current)
      element.current.scrollIntoView({ block: 'center' });
  }, [element, isReady]);
}
