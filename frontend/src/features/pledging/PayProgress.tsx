import { useEffect, useRef } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { TextLink } from '../../ui/TextLink';
import type { FlowState } from './flow/machine';
import classes from './PaySubmit.module.css';
import { long, slow, stuck, useWaited } from './useWaited';

export interface PayProgressProps {
  state: FlowState;
  isMonthly: boolean;
  /** As of PaySubmit. */
  isReady: boolean;
  hasLoadFailed: boolean;
}

/** A live region that announces each step, because the button's spinner is only visible. */
export function PayProgress({ state, isMonthly, isReady, hasLoadFailed }: PayProgressProps) {
  const { t } = useTranslation();
  const step = stepOf(state);
  return (
    <div className={classes.progress} role="status">
      {step &&
        t(
          isMonthly && step === 'creating'
            ? 'pledge.monthly.creating'
            : state.name === 'redirecting' && state.isBank
              ? 'pledge.step.toBank'
              : `pledge.step.${step}`,
        )}
      {!step && !isReady && t(hasLoadFailed ? 'pledge.step.notLoaded' : 'pledge.step.loading')}
      {state.name === 'redirecting' && (
        <>
          {' '}
          <TextLink href={state.url}>{t('pledge.step.continue')}</TextLink>
        </>
      )}
      <SlowNote name={state.name} />
    </div>
  );
}

function stepOf({ name }: FlowState) {
  switch (name) {
    case 'signingIn':
    case 'creating':
    case 'closingEarlier':
    case 'settingUp':
    case 'confirming':
    case 'openingPage':
    case 'redirecting':
    case 'lookingUp':
    case 'succeeded':
      return name;
    // Says itself what is asked, in place of all this.
    case 'unknown':
    case 'idle':
    case 'invalid':
    case 'failed':
    case 'awaitingCard':
    case 'checking':
      return undefined;
    default:
      return name satisfies never;
  }
}

/** That a step takes its time: a bank that is slow, then one of which nothing is known; or a connection, with nothing charged yet. */
function SlowNote({ name }: Pick<FlowState, 'name'>) {
  const { t } = useTranslation();
  const waited = useWaited(name);
  switch (name) {
    case 'confirming':
      if (waited < slow) return null;
      return waited < long ? (
        <> {t('pledge.step.slow')}</>
      ) : (
        <>
          {' '}
          <Trans i18nKey="pledge.step.long" components={{ b: <strong /> }} />
          <Stay />
        </>
      );
    case 'creating':
    case 'settingUp':
    case 'openingPage':
      return waited < stuck ? null : <> {t('pledge.step.stuck')}</>;
    default:
      return null;
  }
}

/** The end of what is said of a long wait. It comes into view, as whoever pressed the bar at a phone's foot sees no word of it. */
function Stay() {
  const { t } = useTranslation();
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <p ref={place} className={classes.stay}>
      {t('pledge.unknown.stay')}
    </p>
  );
}
